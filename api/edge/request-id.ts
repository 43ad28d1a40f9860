import { randomUUID } from 'node:crypto'

/** What may stand in a log line and a header without harm. */
const SANE_ID = /^[\w.:/+=-]{1,128}$/

/** The id that the caller sent, when it is sane, else a new one. */
export const requestIdOf = (header: string | undefined): string =>
  header !== undefined && SANE_ID.test(header) ? header : randomUUID()
