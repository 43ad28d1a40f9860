import { afterAll, describe, expect, it } from 'vitest'
import { operationJson } from '../../../../api/automation/registry/index.js'
import {
  type Operation,
  type Parameter,
  type ParameterType,
  type Value,
  type ValueType,
  VOID,
} from '../../../../core/automation/language/index.js'
import { operations } from '../../../../core/automation/operations/index.js'
import { createBlobValue } from '../../../../core/files/blobs/index.js'
import type { PropertyValue } from '../../../../core/model/properties/index.js'
import { type Call, createOperationBench, input, inputs } from '../../support/operations-support.js'

const { platform, close, run, create } = await createOperationBench()
afterAll(close)

const document = await create('/default-domain/workspaces', 'File', 'declared')
const blob = createBlobValue({ stored: await platform.blobs.write(Buffer.from('x')), name: 'x.txt' })

/** An input of each type that a signature can tell. */
const INPUTS: { [type in Exclude<ValueType, 'date'>]: Value } = {
  void: VOID,
  document: input(document),
  documents: inputs(document),
  blob: { type: 'blob', blob },
  bloblist: { type: 'blobs', blobs: [blob] },
  string: { type: 'string', value: document.id },
  number: { type: 'number', value: 1 },
  boolean: { type: 'boolean', value: true },
  object: { type: 'json', value: { a: 1 } },
}

/** What becomes what by itself (reference: automation.md §6). */
const ADAPTED: { [type: string]: readonly string[] } = {
  document: ['documents'],
  documents: ['document'],
  string: ['document', 'documents', 'date', 'boolean', 'number'],
  blob: ['bloblist'],
  bloblist: ['blob'],
  // A list of ids.
  object: ['documents', 'string'],
}

const inputsOf = (operation: Operation): string[] =>
  operationJson(operation).signature.filter((_, position) => position % 2 === 0)

const isAccepted = (operation: Operation, type: string): boolean => {
  const declared = inputsOf(operation)
  const fitting = [type, 'void', 'object', ...(ADAPTED[type] ?? [])]
  return declared.some((one) => fitting.includes(one))
}

const VALUES: { [type in ParameterType]: PropertyValue } = {
  string: 'text',
  boolean: true,
  integer: 1,
  long: 1,
  float: 1.5,
  date: '2024-05-31T12:00:00Z',
  document: document.id,
  documents: [document.id],
  blob: null,
  stringlist: ['one'],
  resource: 'https://example.org/',
  properties: {},
  serializable: 'text',
  object: 'text',
  map: {},
  list: [],
}

/** What cannot be read as a type; a text takes everything. */
const WRONG: { [type in ParameterType]?: PropertyValue } = {
  boolean: { a: 1 },
  integer: 'one',
  long: '1.5',
  float: 'one',
  date: 'tomorrow',
  document: '/no/such',
  documents: ['/no/such'],
  blob: 'text',
  stringlist: { a: 1 },
  properties: ['text'],
  map: 'text',
  list: 'text',
}

const required = ({ params }: Operation): [string, Parameter][] =>
  Object.entries(params).filter(
    ([, { isRequired, default: otherwise }]) => isRequired && otherwise === undefined,
  )

const valuesFor = (operation: Operation): { [name: string]: PropertyValue } =>
  Object.fromEntries(
    required(operation).flatMap(([name, { type }]) => (type === 'blob' ? [] : [[name, VALUES[type]]])),
  )

/** A file has no form as a parameter: it is looked up among the variables. */
const filesFor = (operation: Operation): { [name: string]: Value } =>
  Object.fromEntries(
    required(operation).flatMap(([name, { type }]) => (type === 'blob' ? [[name, INPUTS.blob]] : [])),
  )

const inputFor = (operation: Operation): Value => {
  const [first = 'void'] = inputsOf(operation)
  return INPUTS[first as keyof typeof INPUTS]
}

const refusalOf = (id: string, call: Call) =>
  run(id, call).then(
    () => ({ code: 'none', message: 'it was done' }),
    (error: { code: string; message: string }) => ({ code: error.code, message: error.message }),
  )

describe.each(operations.map((operation) => [operation.id, operation] as const))('%s', (id, operation) => {
  const params = valuesFor(operation)
  const variables = filesFor(operation)

  const foreign = Object.entries(INPUTS).filter(([type]) => !isAccepted(operation, type))
  if (foreign.length > 0)
    it('refuses every input that its signature does not say', async () => {
      for (const [type, given] of foreign)
        expect(await refusalOf(id, { input: given, params, variables }), type).toEqual({
          code: 'badRequest',
          message: expect.stringContaining(
            type === 'void' ? 'as input; the call has none' : `takes no input of type ${type}`,
          ),
        })
    })

  if (required(operation).length > 0)
    it('asks for every parameter that it says is required', async () => {
      for (const [name] of required(operation)) {
        const { [name]: _, ...others } = params
        const { [name]: __, ...files } = variables
        const given = { input: inputFor(operation), params: others, variables: files }
        expect(await refusalOf(id, given), name).toEqual({
          code: 'badRequest',
          message: expect.stringContaining(`Parameter ${name} is required`),
        })
      }
    })

  const typed = Object.entries(operation.params).filter(([, { type }]) => WRONG[type] !== undefined)
  if (typed.length > 0)
    it('refuses what is not of the type that it says, and names the parameter', async () => {
      for (const [name, { type }] of typed) {
        const given = { ...params, [name]: WRONG[type] ?? null }
        const call = { input: inputFor(operation), params: given, variables }
        const { code, message } = await refusalOf(id, call)
        expect([name, code], message).toEqual([name, type.startsWith('document') ? 'notFound' : 'badRequest'])
        expect(message).toContain(`Parameter ${name}: `)
      }
    })

  it('shows the default of a parameter before its other hints', () => {
    for (const { name, values } of operationJson(operation).params) {
      const declared = Object.entries(operation.params).find(
        ([own, { aliases = [] }]) => own === name || aliases.includes(name),
      )
      const { default: otherwise } = declared![1]
      if (otherwise !== undefined) expect(values[0], name).toBe(String(otherwise))
    }
  })
})
