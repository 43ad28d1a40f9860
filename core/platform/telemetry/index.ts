export { type CounterHistory, createCounterHistory } from './counter-history.js'
export { type HealthCheck, probe, type Readiness } from './health.js'
export { type LogFields, withLogFields } from './log-scope.js'
export { createLogger, type LoggerOptions } from './logger.js'
export { inSources } from './source-places.js'
export { failSpan, inSpan, isTraced, startSpan } from './spans.js'
export { type RemoteSpan, startTracing, type Tracing, type TracingSettings } from './start-tracing.js'
export { restStorages, usingStorages } from './storages.js'
export {
  type Backlog,
  type Connections,
  createWorkMetrics,
  type Outcome,
  type WorkMetrics,
} from './work-metrics.js'
