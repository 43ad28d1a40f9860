import { type Context, context, type Span, type SpanOptions, SpanStatusCode, trace } from '@opentelemetry/api'

const TRACER = 'archivolt'

/** Marks a span as failed, with the error that explains it. */
export const failSpan = (span: Span, error: unknown): void => {
  const exception = error instanceof Error ? error : new Error(String(error))
  span.recordException(exception)
  span.setStatus({ code: SpanStatusCode.ERROR, message: exception.message })
}

/** Starts a span below the active one, or below the one of `parent`. The caller ends it. */
export const startSpan = (name: string, options: SpanOptions = {}, parent?: Context): Span =>
  trace.getTracer(TRACER).startSpan(name, options, parent)

/** Runs work in a span that is active meanwhile, ends with it and fails with it. */
export const inSpan = async <Result>(
  name: string,
  options: SpanOptions,
  work: (span: Span) => Promise<Result>,
): Promise<Result> => {
  const span = startSpan(name, options)
  try {
    // Awaited inside: a statement of the database begins when it is awaited, not when it is written.
    return await context.with(trace.setSpan(context.active(), span), async () => await work(span))
  } catch (error) {
    failSpan(span, error)
    throw error
  } finally {
    span.end()
  }
}

/** False outside of a trace: work without a request or run starts no trace of its own. */
export const isTraced = (): boolean => trace.getActiveSpan() !== undefined
