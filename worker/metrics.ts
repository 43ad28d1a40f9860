import { collectDefaultMetrics, Histogram, Registry } from 'prom-client'

export type WorkerMetrics = {
  registry: Registry
  observe(activity: { activity: string; outcome: 'completed' | 'failed'; seconds: number }): void
}

const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1800]

/** Metrics of a worker process and of the activities that it runs. */
export const createWorkerMetrics = (): WorkerMetrics => {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const histogram = new Histogram({
    name: 'archivolt_activity_duration_seconds',
    help: 'Time of one attempt of an activity, by its outcome',
    labelNames: ['activity', 'outcome'] as const,
    buckets: BUCKETS,
    registers: [registry],
  })
  return {
    registry,
    observe: ({ activity, outcome, seconds }) => histogram.labels(activity, outcome).observe(seconds),
  }
}
