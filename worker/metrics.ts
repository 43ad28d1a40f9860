import { Counter, Histogram, type Registry } from 'prom-client'

export type WorkerMetrics = {
  registry: Registry
  observe(activity: { activity: string; outcome: 'completed' | 'failed'; seconds: number }): void
  /** Counts a handler's chain that was not started because of the event depth limit. */
  stopEventChain(handler: string): void
}

const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1800]

/** Adds those of the activities that a worker runs to the metrics of its process. */
export const createWorkerMetrics = (registry: Registry): WorkerMetrics => {
  const histogram = new Histogram({
    name: 'archivolt_activity_duration_seconds',
    help: 'Time of one attempt of an activity, by its outcome',
    labelNames: ['activity', 'outcome'] as const,
    buckets: BUCKETS,
    registers: [registry],
  })
  const stopped = new Counter({
    name: 'archivolt_event_chains_stopped_total',
    help: 'Chains of event handlers that were not started because of ARCHIVOLT_EVENT_DEPTH',
    labelNames: ['handler'] as const,
    registers: [registry],
  })
  return {
    registry,
    stopEventChain: (handler) => stopped.labels(handler).inc(),
    observe: ({ activity, outcome, seconds }) => histogram.labels(activity, outcome).observe(seconds),
  }
}
