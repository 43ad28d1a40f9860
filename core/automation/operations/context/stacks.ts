import { fail } from '../../../platform/errors/index.js'
import {
  defineOperation,
  type Operation,
  type OperationContext,
  type Value,
  type ValueType,
  type Variables,
} from '../../language/index.js'
import { asConsumed } from '../shared/consumed-input.js'
import { withoutRecords } from '../shared/context-variables.js'

const CATEGORY = 'Push & Pop'

/** More is a loop that forgets to pop. */
const MOST = 1_000

type Stack = { id: string; alias: string; what: string; type: 'document' | 'documents' | 'blob' | 'bloblist' }

const STACKS: readonly Stack[] = [
  { id: 'Document', alias: 'Document.{}', what: 'Document', type: 'document' },
  { id: 'DocumentList', alias: 'Document.{}List', what: 'Document List', type: 'documents' },
  { id: 'Blob', alias: 'Blob.{}', what: 'File', type: 'blob' },
  { id: 'BlobList', alias: 'Blob.{}List', what: 'File List', type: 'bloblist' },
]

/**
 * Each value on a stack is a variable of the run: so it crosses its transactions, is packed as small as any
 * other, and belongs to the same isolation.
 */
const entryName = (type: ValueType, position: number): string => ` pushed ${type} ${position}`

const positionsOf = (variables: Variables, type: ValueType): number[] => {
  const prefix = entryName(type, 0).slice(0, -1)
  return Object.keys(variables)
    .filter((name) => name.startsWith(prefix) && /^\d{1,9}$/.test(name.slice(prefix.length)))
    .map((name) => Number(name.slice(prefix.length)))
    .sort((a, b) => a - b)
}

const push = (variables: Variables, type: ValueType, value: Value): void => {
  const positions = positionsOf(variables, type)
  if (positions.length >= MOST) throw fail('badRequest', `More than ${MOST} values were pushed`)
  variables[entryName(type, (positions.at(-1) ?? -1) + 1)] = withoutRecords(value)
}

/** Takes the last value pushed off its stack, or the first one. */
const take = async (
  { variables, documents }: OperationContext,
  type: ValueType,
  end: 'last' | 'first',
): Promise<Value> => {
  const position = positionsOf(variables, type).at(end === 'last' ? -1 : 0)
  const name = entryName(type, position ?? 0)
  const value = position === undefined ? undefined : variables[name]
  if (!value) throw fail('badRequest', `Nothing of type ${type} was pushed that is not taken yet`)
  delete variables[name]
  if (value.type !== 'document') return value
  const [record] = await documents(value)
  return record ? { ...value, record } : value
}

const operationsOf = ({ id, alias, what, type }: Stack): readonly Operation[] => {
  const named = (verb: string) => ({
    id: `Context.${verb}${id}`,
    aliases: [alias.replace('{}', verb)],
    label: `${verb} ${what}`,
    category: CATEGORY,
  })
  const lower = what.toLowerCase()
  return [
    defineOperation({
      ...named('Push'),
      description: `Puts the input ${lower} on the stack of its kind, and passes it on.`,
      params: {},
      methods: ({ method }) => [
        method(type, type, async ({ context, input }) => {
          const value = asConsumed(type, { context, input })
          push(context.variables, type, value)
          return value
        }),
      ],
    }),
    defineOperation({
      ...named('Pop'),
      description: `Takes the ${lower} that was pushed last off its stack, and makes it the input.`,
      params: {},
      methods: ({ method }) => [method('void', type, ({ context }) => take(context, type, 'last'))],
    }),
    defineOperation({
      ...named('Pull'),
      description: `Takes the ${lower} that was pushed first off its stack, and makes it the input.`,
      params: {},
      methods: ({ method }) => [method('void', type, ({ context }) => take(context, type, 'first'))],
    }),
  ]
}

export const stackOperations: readonly Operation[] = STACKS.flatMap(operationsOf)
