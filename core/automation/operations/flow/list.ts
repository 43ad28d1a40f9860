import type { PropertyValue } from '../../../model/properties/index.js'
import { fail, isArchivoltError } from '../../../platform/errors/index.js'
import { noteLoop } from '../../dry-run/index.js'
import {
  type DryRunNotes,
  defineOperation,
  noList,
  type Operation,
  type OperationContext,
  type Value,
  VOID,
  valueOfJson,
} from '../../language/index.js'
import { getVariable, withoutRecords } from '../shared/context-variables.js'
import { isolate, NEW_TRANSACTION, RUN_PARAMETERS, TARGET_ID } from '../shared/parameters.js'
import { asksForTransaction, requireDryRun } from './new-transaction.js'

const CATEGORY = 'Execution Flow'

const LIST = {
  type: 'string',
  isRequired: true,
  description: 'Context variable that holds the list.',
} as const

/**
 * The elements of a list in a variable.
 *
 * @throws badRequest naming a variable that is missing or holds no list.
 */
const elementsOf = async (context: OperationContext, name: string): Promise<readonly Value[]> => {
  const list = getVariable(context.variables, name)
  if (list.type === 'documents') return list.ids.map((id) => ({ type: 'document', id }))
  if (list.type === 'documentList')
    return (await context.documents(list)).map(({ id }) => ({ type: 'document', id }))
  if (list.type === 'blobs') return list.blobs.map((blob) => ({ type: 'blob', blob }))
  if (list.type === 'json' && Array.isArray(list.value)) return list.value.map(valueOfJson)
  throw noList(name, list)
}

type ForEach = {
  id: string
  list: string
  item: string
  isolate: boolean
  parameters: { [name: string]: PropertyValue } | undefined
}

/** A loop whose elements would have had transactions of their own, in that of a dry run. */
type DryRunForEach = { operation: string; notes: DryRunNotes; stopsOnError: boolean }

type Item = { position: number; total: number; element: Value }

/** An item's failure with the item behind it, counted from 0: it keeps the beginning that clients know. */
const atItem = (error: unknown, { position, total, element }: Item): unknown => {
  if (!isArchivoltError(error)) return error
  const document = element.type === 'document' ? `, document ${element.id}` : ''
  const { code, message, details, retryable } = error
  return fail(code, `${message} (item ${position} of ${total}${document})`, {
    cause: error,
    details,
    retryable,
  })
}

/** One run after the other, in the transaction that it is in. */
const runForEach = async (
  context: OperationContext,
  { id, list, item: name, isolate, parameters }: ForEach,
  dryRun?: DryRunForEach,
): Promise<void> => {
  // Each run may change the input documents, so the next one, and the next step, read them again.
  const input = withoutRecords(context.input)
  context.input = input
  const elements = await elementsOf(context, list)
  const total = elements.length
  const fails = dryRun && noteLoop(dryRun.notes, { operation: dryRun.operation, target: id, total })
  for (const [position, element] of elements.entries()) {
    const call = { id, input, parameters, isolate, variables: { [name]: element } }
    const item = { position, total, element }
    if (!dryRun) {
      try {
        await context.run(call)
      } catch (error) {
        throw atItem(error, item)
      }
      continue
    }
    const outcome = await context.attempt(call)
    if ('output' in outcome) continue
    if (dryRun.stopsOnError) throw atItem(outcome.failure, item)
    fails?.({ position, element, failure: outcome.failure })
  }
}

const runOnList = defineOperation({
  id: 'RunOperationOnList',
  aliases: ['Context.RunOperationOnList'],
  label: 'Run For Each',
  category: CATEGORY,
  description: 'Runs an operation or chain once for each element of a list in a context variable.',
  callsTarget: 'list',
  boundary: (params) => (asksForTransaction(params) ? 'loop' : undefined),
  params: {
    id: TARGET_ID,
    list: LIST,
    item: { type: 'string', default: 'item', description: 'Context variable that holds each element.' },
    isolate: isolate(true),
    parameters: RUN_PARAMETERS,
    ...NEW_TRANSACTION,
  },
  methods: ({ method }) => [
    method('void', 'void', async ({ context, params }) => {
      const operation = 'RunOperationOnList'
      const dryRun = params.newTx && {
        operation,
        notes: requireDryRun(context, operation),
        stopsOnError: params.rollbackGlobalOnError,
      }
      await runForEach(context, params, dryRun || undefined)
      return VOID
    }),
  ],
})

const runOnListInNewTransactions = defineOperation({
  id: 'Context.RunOperationOnListInNewTx',
  aliases: ['RunOperationOnListInNewTx'],
  label: 'Run For Each in new TX',
  category: CATEGORY,
  description:
    'Runs an operation or chain once for each element of a list in a context variable, each time in a transaction of its own.',
  callsTarget: 'list',
  takesAnyInput: true,
  boundary: 'loop',
  params: {
    id: TARGET_ID,
    list: LIST,
    item: {
      type: 'string',
      default: 'item',
      aliases: ['itemName'],
      description: 'Context variable that holds each element.',
    },
    isolate: isolate(true),
    parameters: RUN_PARAMETERS,
    rollbackGlobalOnError: {
      type: 'boolean',
      default: true,
      description: 'Stop at the first element that fails; otherwise record it and go on.',
    },
  },
  methods: ({ method }) => [
    method('void', 'void', async ({ context, params }) => {
      const operation = 'Context.RunOperationOnListInNewTx'
      const notes = requireDryRun(context, operation)
      const stopsOnError = params.rollbackGlobalOnError
      await runForEach(context, params, { operation, notes, stopsOnError })
      return VOID
    }),
  ],
})

export const flowListOperations: readonly Operation[] = [runOnList, runOnListInNewTransactions]
