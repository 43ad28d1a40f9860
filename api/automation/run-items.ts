import type { LoopFailure } from '../../core/automation/language/index.js'
import type { Receipts } from '../../core/automation/run-store/index.js'
import type { ChainProgress } from '../../workflows/types.js'
import { MOST_POSITION } from './automation.schema.js'
import { readCursor, writeCursor } from './cursor.js'
import type { FailedItems, RepairedLoop } from './run-history.js'

/** Which failed items are to be done again. */
export type AskedItems = {
  positions?: readonly number[] | undefined
  /** The loop of which they are. Absent: all. */
  node?: number | undefined
}

/** The failed items that are there of those that are asked for, by loop. */
export const askedItems = async (
  receipts: Receipts,
  workflowId: string,
  { positions, node }: AskedItems,
): Promise<FailedItems[]> => {
  const loops = await receipts.loops(workflowId)
  const asked = loops.filter(
    ({ step, failures }) => failures.length > 0 && (node === undefined || step === String(node)),
  )
  const found = await Promise.all(
    asked.map(async ({ step, isWalk }): Promise<FailedItems> => {
      const key = { workflowId, step }
      const entered = isWalk ? (await receipts.walk(key))?.entered : undefined
      const items = { step, ...(entered && { entered }) }
      if (!positions) return items
      const failed = await receipts.loopFailures(key, { among: positions, limit: positions.length })
      return { ...items, positions: failed.map(({ position }) => position) }
    }),
  )
  return found.filter((items) => items.positions === undefined || items.positions.length > 0)
}

/** An item that a loop passed over: the step that is the loop, among the run's nodes, and its position in the list. */
export type FailedItem = LoopFailure & {
  node: number
}

export type ItemsPage = { pageSize: number; cursor?: string | undefined; node?: number | undefined }

export type FailedItemsPage = { entries: readonly FailedItem[]; pageSize: number; nextCursor?: string }

/** Behind which item a page begins. */
type Cursor = { node: number; position: number }

const isIndex = (value: unknown): boolean => Number.isInteger(value) && (value as number) >= 0

const isCursor = (value: unknown): value is Cursor => {
  const { node, position } = (value ?? {}) as Partial<Cursor>
  return isIndex(node) && isIndex(position) && (position as number) <= MOST_POSITION
}

const cursorBehind = ({ node, position }: FailedItem): string => writeCursor({ node, position })

/** Where failed items are, one list for each loop. */
export type ItemSource = {
  node: number
  read(after: number, limit: number): Promise<readonly Omit<FailedItem, 'node'>[]>
}

/**
 * A page of the items that a run which does failed ones again could not do either until now, as it reports them itself.
 *
 * @throws badRequest for a cursor that no page has given.
 */
export const failedAgainSoFar = (
  progress: ChainProgress | undefined,
  page: ItemsPage,
): Promise<FailedItemsPage> =>
  pageOfItems(
    (progress?.nodes ?? []).flatMap(({ status, loop: past }, node): ItemSource[] => {
      const loop = status === 'running' ? progress?.loop : past
      if (!loop) return []
      const read: ItemSource['read'] = async (after, limit) =>
        loop.failures.filter(({ position }) => position > after).slice(0, limit)
      return [{ node, read }]
    }),
    page,
  )

/** The same once it has done them all: they stay on their loops' lists. */
export const failedAgain = async (
  receipts: Receipts,
  loops: readonly RepairedLoop[],
  page: ItemsPage,
): Promise<FailedItemsPage> =>
  pageOfItems(
    loops.map(({ node, key, positions }) => ({
      node,
      read: (after, limit) => receipts.loopFailures(key, { after, among: positions, limit }),
    })),
    page,
  )

/**
 * A page of the items that the loops of a run passed over, by node and position; what was done again since is none of
 * them.
 *
 * @throws badRequest for a cursor that no page has given.
 */
export const failedItems = async (
  receipts: Receipts,
  workflowId: string,
  page: ItemsPage,
): Promise<FailedItemsPage> => {
  const loops = await receipts.loops(workflowId)
  const sources = loops.map(
    ({ step }): ItemSource => ({
      node: Number(step),
      read: (after, limit) => receipts.loopFailures({ workflowId, step }, { after, limit }),
    }),
  )
  return pageOfItems(
    sources.sort((a, b) => a.node - b.node),
    page,
  )
}

/**
 * A page of what some lists of failed items have, by node and position.
 *
 * @param sources in the order of their nodes.
 * @throws badRequest for a cursor that no page has given.
 */
export const pageOfItems = async (
  sources: readonly ItemSource[],
  { pageSize, cursor, node: only }: ItemsPage,
): Promise<FailedItemsPage> => {
  const behind = readCursor(cursor, { isPlace: isCursor, pages: 'items' })
  const found: FailedItem[] = []
  for (const { node, read } of sources) {
    if (only !== undefined && node !== only) continue
    if (behind && node < behind.node) continue
    const after = behind?.node === node ? behind.position : -1
    const failures = await read(after, pageSize + 1 - found.length)
    found.push(...failures.map((failure) => ({ node, ...failure })))
    if (found.length > pageSize) break
  }
  const entries = found.slice(0, pageSize)
  const last = entries.at(-1)
  return { entries, pageSize, ...(found.length > pageSize && last && { nextCursor: cursorBehind(last) }) }
}
