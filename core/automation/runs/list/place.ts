import type { RunDescription } from '../run.js'
import { readCursor, writeCursor } from './cursor.js'

/**
 * The run after which a page begins: running ones come first, by their start, then ended ones, by their end.
 * Clocks of the two sources are finer than ours, so that runs of the same millisecond are distinguished by name.
 */
export type Place = { isRunning: boolean; at?: number; seen: readonly string[] }

const START: Place = { isRunning: true, seen: [] }

/** The end of the year 9999: later dates are written in a way that Temporal does not read. */
const LAST = Date.UTC(9999, 11, 31)

const isText = (value: unknown): boolean => typeof value === 'string'

const isPlace = (value: unknown): value is Place & { at: number } => {
  const { isRunning, at, seen } = (value ?? {}) as Partial<Place>
  const isTime = typeof at === 'number' && at >= 0 && at < LAST
  return typeof isRunning === 'boolean' && isTime && Array.isArray(seen) && seen.every(isText)
}

export const nameOf = ({ workflowId, startedAt }: RunDescription): string =>
  `${workflowId} ${startedAt.getTime()}`

/** When a run ended, or else started: milliseconds since 1970. */
export const timeOf = ({ startedAt, closedAt }: RunDescription): number => (closedAt ?? startedAt).getTime()

/** @throws badRequest for an invalid cursor. */
export const readPlace = (cursor: string | undefined): Place =>
  readCursor(cursor, { isPlace, pages: 'runs' }) ?? START

/** The place after the last run of a page, with the earlier runs of its millisecond. */
export const cursorAfter = (entries: readonly RunDescription[], before: Place): string => {
  const last = entries.at(-1) as RunDescription
  const isRunning = last.closedAt === undefined
  const at = timeOf(last)
  const same = entries.filter((run) => (run.closedAt === undefined) === isRunning && timeOf(run) === at)
  const earlier = before.isRunning === isRunning && before.at === at ? before.seen : []
  const place: Place = { isRunning, at, seen: [...earlier, ...same.map(nameOf)] }
  return writeCursor(place)
}
