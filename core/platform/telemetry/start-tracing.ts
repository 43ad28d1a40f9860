import {
  type Attributes,
  type DiagLogger,
  DiagLogLevel,
  diag,
  propagation,
  ROOT_CONTEXT,
  SpanStatusCode,
} from '@opentelemetry/api'
import type { NodeTracerProvider, SpanExporter } from '@opentelemetry/sdk-trace-node'
import type { Logger } from 'pino'

/** A span whose id was chosen where it could not be recorded: inside a workflow's sandbox. */
export type RemoteSpan = {
  name: string
  /** 16 hexadecimal digits. */
  spanId: string
  /** Its parent, as carriers such as HTTP headers encode it. */
  parent: { [header: string]: string }
  startedAt: Date
  endedAt: Date
  attributes: Attributes
  /** Message of what it failed with. */
  failure?: string | undefined
}

/** The running export of spans. */
export type Tracing = {
  record(span: RemoteSpan): void
  /** Sends what has been recorded, if it can be sent, and ends the export. */
  stop(): Promise<void>
}

export type TracingSettings = { isEnabled: boolean; exporter: 'otlp' | 'console' }

type Sdk = typeof import('@opentelemetry/sdk-trace-node')

const createExporter = async (exporter: TracingSettings['exporter'], sdk: Sdk): Promise<SpanExporter> => {
  if (exporter === 'console') return new sdk.ConsoleSpanExporter()
  const { OTLPTraceExporter } = await import('@opentelemetry/exporter-trace-otlp-http')
  return new OTLPTraceExporter()
}

/** The SDK's own messages, above all that spans could not be sent, go to our log. */
const diagnosticsTo = (logger: Logger): DiagLogger => ({
  error: (message) => logger.error(message),
  warn: (message) => logger.warn(message),
  info: (message) => logger.info(message),
  debug: (message) => logger.debug(message),
  verbose: (message) => logger.trace(message),
})

/** The SDK lets nobody name a span's id but the generator, which is asked as the span starts. */
const recorder = (newProvider: (generateSpanId: () => string) => NodeTracerProvider): Tracing['record'] => {
  let spanId = ''
  const tracer = newProvider(() => spanId).getTracer('archivolt')
  return (remote) => {
    spanId = remote.spanId
    const parent = propagation.extract(ROOT_CONTEXT, remote.parent)
    const { name, startedAt, endedAt, attributes, failure } = remote
    const span = tracer.startSpan(name, { startTime: startedAt, attributes }, parent)
    if (failure !== undefined) span.setStatus({ code: SpanStatusCode.ERROR, message: failure })
    span.end(endedAt)
  }
}

/**
 * Begins to export spans, or does nothing when tracing is off: then not even the SDK is loaded. Address,
 * headers, batches, limits, sampler, propagators and resource are set by the standard `OTEL_*` variables,
 * which the SDK reads by itself.
 *
 * @param service name of this process in traces, unless `OTEL_SERVICE_NAME` is set.
 */
export const startTracing = async (
  { isEnabled, exporter }: TracingSettings,
  { service, logger }: { service: string; logger: Logger },
): Promise<Tracing | undefined> => {
  if (!isEnabled) return undefined
  const [sdk, { envDetectorSync, Resource }] = await Promise.all([
    import('@opentelemetry/sdk-trace-node'),
    import('@opentelemetry/resources'),
  ])
  diag.setLogger(diagnosticsTo(logger), DiagLogLevel.WARN)
  const resource = Resource.default()
    .merge(new Resource({ 'service.name': service }))
    .merge(envDetectorSync.detect())
  const spanProcessors = [new sdk.BatchSpanProcessor(await createExporter(exporter, sdk))]
  const provider = new sdk.NodeTracerProvider({ resource, spanProcessors })
  provider.register()
  const ids = new sdk.RandomIdGenerator()
  return {
    record: recorder((generateSpanId) => {
      const idGenerator = { generateTraceId: ids.generateTraceId, generateSpanId }
      return new sdk.NodeTracerProvider({ resource, spanProcessors, idGenerator })
    }),
    stop: async () => {
      try {
        await provider.shutdown()
      } catch (error) {
        // An unreachable collector is no reason for a process to end with an error.
        logger.warn({ err: error }, 'the last spans could not be sent')
      }
    },
  }
}
