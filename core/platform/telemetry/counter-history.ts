import { Counter, Histogram, type Registry, Summary } from 'prom-client'

/** Counters of a process at one moment, by name. */
type Sample = { at: number; values: ReadonlyMap<string, number> }

/** Milliseconds since 1970 and a number. */
export type CounterPoint = readonly [at: number, value: number]

export type CounterSeries = {
  values: readonly CounterPoint[]
  /** The difference of each value to the one before it: one fewer. */
  deltas: readonly CounterPoint[]
  /** Change per second between the last two values; 0 while there is one. */
  speed: number
}

/** The counters of a process over the last ten minutes, in its memory. */
export type CounterHistory = {
  /** Identifies the process that counts; without one there are no counters. */
  follow(registry: Registry): void
  /** Samples every five seconds, without keeping the process alive, until `stop`. */
  start(): void
  stop(): void
  sample(): Promise<void>
  /** The samples and the present value. An unknown name has no values. */
  read(names: readonly string[]): Promise<{ [name: string]: CounterSeries }>
}

const EVERY_MS = 5_000
const KEPT = 120

/**
 * Sums over all labels: of a counter by its name, of a measurement `…_count` and `…_sum`. Gauges are left out: reading
 * some of them restarts their measurement, so that a scraper would see the last seconds alone.
 */
const countersOf = async (registry: Registry): Promise<Map<string, number>> => {
  const metrics = registry
    .getMetricsAsArray()
    .map(({ name }) => registry.getSingleMetric(name))
    .filter((metric) => metric instanceof Counter || metric instanceof Histogram || metric instanceof Summary)
  const sums = new Map<string, number>()
  const add = (name: string, value: number) => sums.set(name, (sums.get(name) ?? 0) + value)
  for (const { name, values } of await Promise.all(metrics.map((metric) => metric.get()))) {
    for (const { value, ...of } of values) {
      const part = 'metricName' in of && of.metricName ? String(of.metricName) : name
      if (part === name ? !('quantile' in of.labels) : /_(count|sum)$/.test(part)) add(part, value)
    }
  }
  return sums
}

const seriesOf = (samples: readonly Sample[], name: string): CounterSeries => {
  const values = samples.flatMap(({ at, values: all }): CounterPoint[] => {
    const value = all.get(name)
    return value === undefined ? [] : [[at, value]]
  })
  const deltas = values.slice(1).map(([at, value], index): CounterPoint => [at, value - values[index]![1]])
  const [before, last] = values.slice(-2)
  const speed = before && last ? ((last[1] - before[1]) * 1_000) / (last[0] - before[0]) : 0
  return { values, deltas, speed }
}

/**
 * @param now the clock, in milliseconds since 1970.
 * @param onError called when a sample of `start` cannot be taken; the next one is.
 */
export const createCounterHistory = ({
  now = Date.now,
  onError,
}: {
  now?: () => number
  onError: (error: unknown) => void
}): CounterHistory => {
  let followed: Registry | undefined
  let samples: readonly Sample[] = []
  let timer: NodeJS.Timeout | undefined

  const present = async (): Promise<Sample> => ({
    at: now(),
    values: followed ? await countersOf(followed) : new Map(),
  })
  /** A clock that was set back, or has not moved, starts or ends no interval. */
  const before = ({ at }: Sample): readonly Sample[] => samples.filter((sample) => sample.at < at)

  const sample: CounterHistory['sample'] = async () => {
    const taken = await present()
    samples = [...before(taken), taken].slice(-KEPT)
  }

  return {
    follow: (registry) => {
      followed = registry
      samples = []
    },
    start: () => {
      timer ??= setInterval(() => void sample().catch(onError), EVERY_MS).unref()
    },
    stop: () => {
      clearInterval(timer)
      timer = undefined
    },
    sample,
    read: async (names) => {
      const taken = await present()
      const all = [...before(taken), taken]
      return Object.fromEntries(names.map((name) => [name, seriesOf(all, name)]))
    },
  }
}
