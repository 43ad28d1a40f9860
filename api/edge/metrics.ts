import { Histogram, type Registry } from 'prom-client'

export type Metrics = {
  registry: Registry
  observe(request: { method: string; route: string; status: number; seconds: number }): void
}

const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

/** Adds those of the requests that it serves, by route template, to the metrics of a process. */
export const createMetrics = (registry: Registry): Metrics => {
  const histogram = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the arrival of a request until its response begins',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: BUCKETS,
    registers: [registry],
  })
  // Resolving labels costs more than observing, and there are few label sets.
  const observers = new Map<string, { observe(seconds: number): void }>()
  return {
    registry,
    observe: ({ method, route, status, seconds }) => {
      const key = `${method} ${status} ${route}`
      let observer = observers.get(key)
      if (!observer) {
        observer = histogram.labels(method, route, String(status))
        observers.set(key, observer)
      }
      observer.observe(seconds)
    },
  }
}
