import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

/** How a run or a conversion has ended. */
export type Outcome = 'completed' | 'failed' | 'cancelled'

/** What waits in a repository's database, as of one look at it. */
export type Backlog = {
  /** Seconds since the oldest event that some reader has not read; 0 when each has read all. */
  outboxLagSeconds: number
  mails: { waiting: number; failed: number }
  /** Failed items of loops that nobody has retried yet. */
  failedItems: number
  /** Document workflows that run, and those with changes that their Temporal workflow has not seen yet. */
  workflows: { running: number; unfollowed: number }
  /**
   * Of the search index: seconds since the oldest event that the one that answers has not been notified of, null without
   * one; documents that the search engine has refused.
   */
  index: { lagSeconds: number | null; parked: number }
}

/** Connections of this process to one database. */
export type Connections = { size: number; inUse: number; waiting: number }

/** What operators watch of the product's work, beside requests and activities. */
export type WorkMetrics = {
  /** A registry with these metrics and those of the process, to which its caller adds others. */
  extended(): Registry
  /** A run of a chain or another workflow has ended; `chain` is empty for what runs no chain. */
  runEnded(run: { type: string; chain: string; outcome: Outcome }): void
  conversionEnded(conversion: { converter: string; outcome: Outcome; seconds: number }): void
  /** Looks at a repository's database whenever the metrics are read. */
  follow(repository: { repository: string; backlog(): Promise<Backlog>; connections(): Connections }): void
}

const BUCKETS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 600, 3600]

type Followed = Parameters<WorkMetrics['follow']>[0]

/** Gauges that are set when somebody reads the metrics; of a database that does not answer only that is left. */
const addGauges = (registry: Registry, followed: readonly Followed[]): void => {
  let looking: Promise<void> | undefined
  // One reading of the metrics asks each gauge at once: they share one look.
  const looked = (): Promise<void> => {
    looking ??= Promise.all(followed.map(look)).then(() => {
      looking = undefined
    })
    return looking
  }
  const gauge = (name: string, help: string, ...labels: string[]) =>
    new Gauge({ name, help, labelNames: ['repository', ...labels], registers: [registry], collect: looked })
  const connections = gauge(
    'archivolt_database_connections',
    'Connections of this process: size of the pool, in use, and callers that wait for one',
    'state',
  )
  const up = gauge('archivolt_database_up', 'Whether the database has answered the look for these metrics')
  const lag = gauge('archivolt_outbox_lag_seconds', 'Age of the oldest event that some reader has not read')
  const mails = gauge('archivolt_mails', 'Mails that wait, and those that could not be sent', 'state')
  const workflows = gauge(
    'archivolt_workflows',
    'Document workflows that run, and those whose Temporal workflow has not seen their last change',
    'state',
  )
  const failed = gauge('archivolt_failed_items', 'Failed items of loops that nobody has retried yet')
  const indexLag = gauge(
    'archivolt_index_lag_seconds',
    'Age of the oldest event that the search index does not have yet',
  )
  const parked = gauge('archivolt_index_parked_documents', 'Documents that the search engine has refused')
  const look = async ({ repository, backlog, ...connected }: Followed): Promise<void> => {
    for (const [state, count] of Object.entries(connected.connections()))
      connections.set({ repository, state }, count)
    try {
      const found = await backlog()
      lag.set({ repository }, found.outboxLagSeconds)
      for (const [state, count] of Object.entries(found.mails)) mails.set({ repository, state }, count)
      for (const [state, count] of Object.entries(found.workflows))
        workflows.set({ repository, state }, count)
      failed.set({ repository }, found.failedItems)
      parked.set({ repository }, found.index.parked)
      if (found.index.lagSeconds === null) indexLag.remove({ repository })
      else indexLag.set({ repository }, found.index.lagSeconds)
      up.set({ repository }, 1)
    } catch {
      // The reason is in the health checks and the log; here its absence is the message.
      for (const gone of [lag, failed, parked, indexLag]) gone.remove({ repository })
      for (const state of ['waiting', 'failed']) mails.remove({ repository, state })
      for (const state of ['running', 'unfollowed']) workflows.remove({ repository, state })
      up.set({ repository }, 0)
    }
  }
}

/** @param node name of this process, a label of every metric. */
export const createWorkMetrics = ({ node }: { node: string }): WorkMetrics => {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const runs = new Counter({
    name: 'archivolt_runs_total',
    help: 'Runs that have ended, by workflow type, chain and outcome',
    labelNames: ['type', 'chain', 'outcome'] as const,
    registers: [registry],
  })
  const conversions = new Histogram({
    name: 'archivolt_conversion_duration_seconds',
    help: 'Time of one step of a conversion, by converter and outcome',
    labelNames: ['converter', 'outcome'] as const,
    buckets: BUCKETS,
    registers: [registry],
  })
  const followed: Followed[] = []
  addGauges(registry, followed)
  return {
    extended: () => {
      const extended = Registry.merge([registry])
      extended.setDefaultLabels({ node })
      return extended
    },
    runEnded: ({ type, chain, outcome }) => runs.labels(type, chain, outcome).inc(),
    conversionEnded: ({ converter, outcome, seconds }) =>
      conversions.labels(converter, outcome).observe(seconds),
    follow: (repository) => {
      followed.push(repository)
    },
  }
}
