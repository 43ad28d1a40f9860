import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Landmarked, Statement } from '../nxql/index.js'
import type { createSender } from './prepared.js'

/** A value that results are sorted by, and how many results lie before the first one that has it. */
type Landmark = { value: string; before: number }

/** The landmarks of the first results of a query. */
type Known = { results: number; landmarks: Promise<readonly Landmark[]> }

/** What is remembered of queries whose late pages were asked for, by their text and values. */
export type Landmarks = LRUCache<string, Known>

/** How long a page may say what lay before it as it was. */
const REMEMBERED_MS = 30_000
const MAX_REMEMBERED = 20

/** Of all stores on one database. */
export const createLandmarks = (): Landmarks => new LRUCache({ max: MAX_REMEMBERED, ttl: REMEMBERED_MS })

/** From here on a page is read from a landmark: reading what lies before it takes longer than a page may. */
export const FAR_OFFSET = 20_000

/** Pages behind the one that is asked for are likely to come. */
const AHEAD = 1.5

const keyOf = ({ text, parameters }: Statement): string =>
  createHash('sha256')
    .update(JSON.stringify([text, parameters]))
    .digest('base64')

type Send = ReturnType<typeof createSender>

const landmarksTo = (
  offset: number,
  { landmarks: remembered, send }: { landmarks: Landmarks; send: Send },
  { landmarks: of }: Landmarked,
): Known['landmarks'] => {
  const key = keyOf(of(0))
  const known = remembered.get(key)
  if (known && known.results >= offset) return known.landmarks
  const results = Math.ceil(offset * AHEAD)
  const made: Known = { results, landmarks: send<Landmark[]>(of(results)).then((rows) => [...rows]) }
  remembered.set(key, made)
  made.landmarks.catch(() => remembered.delete(key))
  return made.landmarks
}

/**
 * A page far behind the first one. What lies before it is counted once for the late pages of the next 30 seconds, so that
 * each of them reads a thousand results at most before its own.
 *
 * @returns rows, or undefined where no landmark says where the page is.
 */
export const readFar = async <Row extends object>(
  shared: { landmarks: Landmarks; send: Send },
  { marked, read }: { marked: Landmarked; read: (statement: Statement) => Promise<Row[]> },
  { limit, offset }: { limit: number; offset: number },
): Promise<Row[] | undefined> => {
  const landmarks = await landmarksTo(offset, shared, marked)
  const last = landmarks.findLast(({ before }) => before <= offset)
  if (!last) return undefined
  const rows = await read(marked.rowsFrom(last.value, { limit, offset: offset - last.before }))
  // Nulls come last, in no order that a landmark knows of.
  if (rows.length < limit && marked.nulls && (await shared.send<object[]>(marked.nulls)).length > 0)
    return undefined
  return rows
}
