import type { LoopFailure, Receipts } from '../../core/automation/index.js'
import { fail } from '../../core/errors/index.js'
import type { ChainProgress } from '../../workflows/types.js'
import type { FailedItems } from './run-history.js'

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
  if (!positions) return asked.map(({ step }) => ({ step }))
  const among = await Promise.all(
    asked.map(async ({ step }) => {
      const found = await receipts.loopFailures(
        { workflowId, step },
        { among: positions, limit: positions.length },
      )
      return { step, positions: found.map(({ position }) => position) }
    }),
  )
  return among.filter((items) => items.positions.length > 0)
}

/** An item that a loop passed over: the step that is the loop, among the run's nodes, and its position in the list. */
export type FailedItem = LoopFailure & { node: number }

export type ItemsPage = { pageSize: number; cursor?: string | undefined; node?: number | undefined }

export type FailedItemsPage = { entries: readonly FailedItem[]; pageSize: number; nextCursor?: string }

/** Behind which item a page begins. */
type Cursor = { node: number; position: number }

const isIndex = (value: unknown): boolean => Number.isInteger(value) && (value as number) >= 0

const readCursor = (text: string | undefined): Cursor | undefined => {
  if (text === undefined) return undefined
  try {
    const { node, position } = JSON.parse(Buffer.from(text, 'base64url').toString('utf8')) ?? {}
    if (isIndex(node) && isIndex(position) && position <= MOST) return { node, position }
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
  }
  throw fail('badRequest', 'cursor: it is none that a page of items has given')
}

/** As far as the database counts. */
const MOST = 2 ** 31 - 1

const cursorBehind = ({ node, position }: FailedItem): string =>
  Buffer.from(JSON.stringify({ node, position })).toString('base64url')

type Source = { node: number; read(after: number, limit: number): Promise<readonly LoopFailure[]> }

/** The database knows the items of most loops; a run knows those that are runs of their own. */
const sourcesOf = async (
  receipts: Receipts,
  { workflowId, progress }: { workflowId: string; progress: ChainProgress | undefined },
): Promise<Source[]> => {
  const stored = (await receipts.loops(workflowId)).map(
    ({ step }): Source => ({
      node: Number(step),
      read: (after, limit) => receipts.loopFailures({ workflowId, step }, { after, limit }),
    }),
  )
  const known = new Set(stored.map(({ node }) => node))
  const told = (progress?.nodes ?? []).flatMap(({ status, loop: past }, node): Source[] => {
    const loop = status === 'running' ? progress?.loop : past
    if (!loop || known.has(node)) return []
    const read: Source['read'] = async (after, limit) =>
      loop.failures.filter(({ position }) => position > after).slice(0, limit)
    return [{ node, read }]
  })
  return [...stored, ...told].sort((a, b) => a.node - b.node)
}

/**
 * A page of the items that the loops of a run passed over, by node and position; what was done again since is none of
 * them.
 *
 * @throws badRequest for a cursor that no page has given.
 */
export const failedItems = async (
  receipts: Receipts,
  run: { workflowId: string; progress: ChainProgress | undefined },
  { pageSize, cursor, node: only }: ItemsPage,
): Promise<FailedItemsPage> => {
  const behind = readCursor(cursor)
  const found: FailedItem[] = []
  for (const { node, read } of await sourcesOf(receipts, run)) {
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
