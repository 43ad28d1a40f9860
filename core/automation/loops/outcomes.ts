import { type ItemFailure, KEPT_MESSAGE, type Value, type Variables, VOID } from '../language/index.js'
import { type Cursor, type PackedState, packState, type UnitOfWork, unpackState } from '../run-store/index.js'
import { type Item, type Iteration, variablesAt } from './iteration.js'
/** Thrown to undo an item that another attempt of the same iteration has done. */
export const doneByAnother = new Error('This item was done by another attempt')

/** Thrown to undo a failed item that somebody else has retried. */
export const resolvedByAnother = new Error('This item was retried by another run')

/**
 * Takes an item for this transaction.
 *
 * @throws `doneByAnother`, `resolvedByAnother`.
 */
export const claimItem = async (
  { iterations }: UnitOfWork,
  { key, retries }: Iteration,
  { index, position }: Item,
): Promise<void> => {
  if (!(await iterations.saveCursor(key, index))) throw doneByAnother
  if (retries && !(await iterations.resolveFailure(retries.key, position))) throw resolvedByAnother
}

/** Keeps what an item returns, and the variables that it hands on, as far as what follows is to see them. */
export const keepOutcome = async (
  { iterations, receipts, transient }: UnitOfWork,
  { key, retries, isolate, collects }: Iteration,
  { index, input, variables }: { index: number; input: Value; variables?: Variables },
): Promise<void> => {
  if (retries) return
  if (collects) {
    const output = await packState(transient, { input, variables: {} })
    await receipts.record({ ...key, step: `${key.step}/${index}` }, output as never)
  }
  if (variables && !isolate)
    await iterations.handOn(key, await packState(transient, { input: VOID, variables }))
}

/**
 * Goes on after an item that has failed: with what came in, where outputs are collected.
 *
 * @returns false when another attempt has done so.
 */
export const skipItem = async (
  unit: UnitOfWork,
  iteration: Iteration,
  { item: { index, value }, failure }: { item: Item; failure: ItemFailure },
): Promise<boolean> => {
  const { key, retries } = iteration
  const { iterations } = unit
  if (!(await iterations.saveCursor(key, index, { hasFailed: true }))) return false
  if (retries) await iterations.renewFailure(retries.key, failure)
  else await iterations.addFailure(key, failure)
  await keepOutcome(unit, iteration, { index, input: value })
  return true
}

/** Whether the state behind the last item is another than that before the first. */
export const keepsEnd = ({ retries, isolate, collects }: Iteration): boolean =>
  !retries && (!isolate || collects)

/** The state behind the last item, kept once. Within a transaction. */
export const keepEnd = async (
  unit: UnitOfWork,
  iteration: Iteration,
  cursor: Cursor,
): Promise<PackedState> => {
  const { key, collects } = iteration
  const outputs: Value[] = []
  if (collects)
    for (const output of await unit.receipts.ofItems(key))
      outputs.push((await unpackState(unit.transient, output as unknown as PackedState)).input)
  const variables = await variablesAt(unit, iteration, cursor)
  const state = await packState(unit.transient, iteration.end(outputs, variables))
  const isFirst = await unit.receipts.record(key, state as never)
  return isFirst ? state : ((await unit.receipts.find(key)) as unknown as PackedState)
}

/** A failure as the list of failed items has it. */
export const failureOf = (
  { status, message }: Pick<ItemFailure, 'status' | 'message'>,
  { position, value }: Pick<Item, 'position' | 'value'>,
): ItemFailure => ({
  position,
  status,
  message: message.slice(0, KEPT_MESSAGE),
  ...(value.type === 'document' && { id: value.id }),
})
