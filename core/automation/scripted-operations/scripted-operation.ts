import { operationProgram, type Program, type ScriptNames } from '../../platform/sandbox/scripts/index.js'
import {
  documentsValue,
  documentValue,
  type Method,
  type Operation,
  type OperationContext,
  type ParameterType,
  type ScriptDefinition,
  type Value,
  type ValueType,
  VOID,
} from '../language/index.js'

/** What the code of a method was given, as a value again. */
const valueOfInput = (type: ValueType, input: unknown): Value => {
  switch (type) {
    case 'void':
      return VOID
    case 'document':
      return documentValue(input as Parameters<typeof documentValue>[0])
    case 'documents':
      return documentsValue(input as Parameters<typeof documentsValue>[0])
    case 'bloblist':
      return { type: 'blobs', blobs: input as Extract<Value, { type: 'blobs' }>['blobs'] }
    case 'blob':
      return { type: 'blob', blob: input as Extract<Value, { type: 'blob' }>['blob'] }
    case 'object':
      return input as Value
    default:
      return { type, value: input } as Value
  }
}

/** A document is read before a script begins, which may let somebody act who sees more than its caller. */
const readNow = async ({ documents }: OperationContext, value: Value): Promise<Value> => {
  if (value.type !== 'document' || value.record) return value
  const [record] = await documents(value)
  return record ? documentValue(record) : value
}

type Given = { context: OperationContext; input: unknown; params: object }

/** What is given without being declared has a type of its own. */
const anyTypes = (params: object): { [name: string]: ParameterType } =>
  Object.fromEntries(Object.keys(params).map((name) => [name, 'object']))

const methodsOf = (definition: ScriptDefinition): Method[] => {
  const { id, script, inputType = 'object', outputType = 'object' } = definition
  let known: { names: ScriptNames; program: Program } | undefined
  const programWith = (names: ScriptNames): Program => {
    if (known?.names !== names) known = { names, program: operationProgram(`Script ${id}`, script, names) }
    return known.program
  }
  const declaredTypes = Object.fromEntries(definition.params.map(({ name, type }) => [name, type]))
  const method = (input: ValueType): Method => ({
    input,
    output: outputType,
    run: async ({ context, input: given, params }: Given) => {
      const { output } = await context.runScript({
        program: programWith,
        input: await readNow(context, valueOfInput(input, given)),
        params: params as { [name: string]: unknown },
        types: { ...anyTypes(params), ...declaredTypes },
      })
      return output
    },
  })
  // A script may be called without input, whatever it declares.
  return inputType === 'void' || inputType === 'object'
    ? [method(inputType)]
    : [method(inputType), method('void')]
}

/** The operation that a definition makes: it is listed, planned and called like any other. */
export const scriptedOperation = (definition: ScriptDefinition): Operation => {
  const { id, aliases, label, category, description = '', params } = definition
  return {
    id,
    aliases,
    label: label ?? id,
    category,
    description,
    params: Object.fromEntries(
      params.map(({ name, type, description: about, isRequired, values }) => [
        name,
        {
          type,
          ...(isRequired && { isRequired }),
          ...(about !== undefined && { description: about }),
          ...(values[0] !== undefined && { default: values[0], values }),
        },
      ]),
    ),
    methods: methodsOf(definition),
    script: definition,
  }
}
