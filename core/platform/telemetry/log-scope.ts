import { AsyncLocalStorage } from 'node:async_hooks'
import { trace } from '@opentelemetry/api'

/** The fields of every log line of one request or one activity: the request's id first of all. */
export type LogFields = { [name: string]: string | number | undefined }

/** Its storage. */
export const logScope = new AsyncLocalStorage<LogFields>()

/** Runs work whose log lines carry these fields, besides those of the scope that it is in. */
export const withLogFields = <Result>(fields: LogFields, work: () => Result): Result =>
  logScope.run({ ...logScope.getStore(), ...fields }, work)

/** A new object with the fields of the scope, and the ids of the trace when there is one. */
export const currentLogFields = (): LogFields => {
  const span = trace.getActiveSpan()?.spanContext()
  return { ...logScope.getStore(), ...(span && { trace_id: span.traceId, span_id: span.spanId }) }
}
