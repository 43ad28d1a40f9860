import { context, propagation, type SpanContext, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import type { MiddlewareHandler } from 'hono'
import { failSpan, startSpan } from '../../core/platform/telemetry/index.js'
import type { Environment } from './environment.js'
import { loggedPath } from './logged-path.js'
import { isProbe, methodOf, routeOf } from './route.js'

/** `traceresponse` of W3C Trace Context: names the trace of the request to its caller. */
const traceResponse = ({ traceId, spanId, traceFlags }: SpanContext): string =>
  `00-${traceId}-${spanId}-0${traceFlags.toString(16)}`

/**
 * The first middleware when tracing is on: a span for each request, below that of the caller who sent a
 * `traceparent`. It ends when the response is ready.
 */
export const traceRequests: MiddlewareHandler<Environment> = async (c, next) => {
  if (isProbe(c)) return next()
  const caller = propagation.extract(context.active(), c.req.header())
  const attributes = { 'http.request.method': methodOf(c), 'url.path': loggedPath(c) }
  const span = startSpan(methodOf(c), { kind: SpanKind.SERVER, attributes }, caller)
  await context.with(trace.setSpan(caller, span), next)
  c.res.headers.set('traceresponse', traceResponse(span.spanContext()))
  const { status } = c.res
  const route = routeOf(c)
  span.updateName(`${methodOf(c)} ${route}`).setAttributes({
    'http.route': route,
    'http.response.status_code': status,
    'archivolt.request_id': c.get('requestId'),
  })
  if (status >= 500 && c.error) failSpan(span, c.error)
  else if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR })
  span.end()
}
