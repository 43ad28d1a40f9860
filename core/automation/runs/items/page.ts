import { readCursor, writeCursor } from '../list/cursor.js'
import { type FailedItem, type FailedItemsPage, type ItemsPage, MAX_POSITION } from './types.js'

/** The item after which a page begins. */
type Place = { node: number; position: number }

const isIndex = (value: unknown): boolean => Number.isInteger(value) && (value as number) >= 0

const isPlace = (value: unknown): value is Place => {
  const { node, position } = (value ?? {}) as Partial<Place>
  return isIndex(node) && isIndex(position) && (position as number) <= MAX_POSITION
}

const cursorAfter = ({ node, position }: FailedItem): string => writeCursor({ node, position })

/** The failed items of each loop. */
export type ItemSource = {
  node: number
  read(after: number, limit: number): Promise<readonly Omit<FailedItem, 'node'>[]>
}

/**
 * A page of failed items of several loops, by node and position.
 *
 * @param sources in the order of their nodes.
 * @throws badRequest for a cursor that no page has given.
 */
export const pageOfItems = async (
  sources: readonly ItemSource[],
  { pageSize, cursor, node: only }: ItemsPage,
): Promise<FailedItemsPage> => {
  const before = readCursor(cursor, { isPlace, pages: 'items' })
  const found: FailedItem[] = []
  for (const { node, read } of sources) {
    if (only !== undefined && node !== only) continue
    if (before && node < before.node) continue
    const after = before?.node === node ? before.position : -1
    const failures = await read(after, pageSize + 1 - found.length)
    found.push(...failures.map((failure) => ({ node, ...failure })))
    if (found.length > pageSize) break
  }
  const entries = found.slice(0, pageSize)
  const last = entries.at(-1)
  return { entries, pageSize, ...(found.length > pageSize && last && { nextCursor: cursorAfter(last) }) }
}
