import { AsyncLocalStorage } from 'node:async_hooks'
import { randomUUID } from 'node:crypto'

export type RequestScope = { requestId: string }

/** Carries the request id to what a request causes without handing it down every call: logs, workflow starts. */
export const requestScope = new AsyncLocalStorage<RequestScope>()

/** The id of the request being served; undefined outside of one. */
export const currentRequestId = (): string | undefined => requestScope.getStore()?.requestId

/** What may stand in a log line and a header without harm. */
const SANE_ID = /^[\w.:/+=-]{1,128}$/

/** The id that the caller sent, when it is sane, else a new one. */
export const requestIdOf = (header: string | undefined): string =>
  header !== undefined && SANE_ID.test(header) ? header : randomUUID()
