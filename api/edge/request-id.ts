import { randomUUID } from 'node:crypto'

/** Characters that are safe in a log line and a header. */
const SANE_ID = /^[\w.:/+=-]{1,128}$/

/** The id that the caller sent, when it is sane, else a new one. */
export const requestIdOf = (header: string | undefined): string =>
  header !== undefined && SANE_ID.test(header) ? header : randomUUID()
