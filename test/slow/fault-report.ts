import { existsSync, readFileSync } from 'node:fs'
import { Client, Connection } from '@temporalio/client'
import postgres from 'postgres'
import type { Home } from '../../stack/home/index.js'

/** Where to ask. */
export type Reported = {
  home: Home
  services: readonly string[]
  databaseUrl: string
  temporalAddress: string
}

const LINES = 40
const LINE_LENGTH = 500
const MOST_RUNS = 30
const LAST_EVENTS = 12
/** What is asked may be what hangs. */
const ASKED_MS = 10_000

const named = (title: string, lines: readonly string[]): string =>
  [`--- ${title}`, ...lines.map((line) => line.slice(0, LINE_LENGTH))].join('\n')

const lastLines = (file: string): string[] =>
  existsSync(file) ? readFileSync(file, 'utf8').trimEnd().split('\n').slice(-LINES) : ['(no log)']

/** What each backend of the product's database is at, and for whom it waits. */
const backends = async (databaseUrl: string): Promise<string[]> => {
  const sql = postgres(databaseUrl, { max: 1, connect_timeout: 5, onnotice: () => undefined })
  try {
    const rows = await sql`
      SELECT pid, client_port AS port, state, wait_event_type AS waits, wait_event AS for,
        pg_blocking_pids(pid) AS behind, round(extract(epoch FROM now() - xact_start)) AS transaction,
        round(extract(epoch FROM now() - state_change)) AS since, left(query, 200) AS query
      FROM pg_stat_activity
      WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid()
      ORDER BY xact_start NULLS LAST`
    return rows.map((row) => JSON.stringify(row))
  } finally {
    void sql.end({ timeout: 0 })
  }
}

/** Each run that goes on: what is under way of it, and what its history ends with. */
const openRuns = async (address: string): Promise<string[]> => {
  const connection = await Connection.connect({ address, connectTimeout: 5_000 })
  try {
    const { workflow } = new Client({ connection })
    const lines: string[] = []
    for await (const { workflowId, runId } of workflow.list({ query: "ExecutionStatus = 'Running'" })) {
      if (lines.length >= MOST_RUNS) break
      const handle = workflow.getHandle(workflowId, runId)
      const [{ raw }, { events }] = await Promise.all([handle.describe(), handle.fetchHistory()])
      const { pendingActivities, pendingWorkflowTask, pendingChildren } = raw
      const last = events?.slice(-LAST_EVENTS).map(({ eventId, eventTime, eventType }) => {
        const seconds = Number(eventTime?.seconds ?? 0)
        return `${eventId} ${new Date(seconds * 1000).toISOString().slice(11, 19)} type ${eventType}`
      })
      lines.push(
        JSON.stringify({ workflowId, pendingActivities, pendingWorkflowTask, pendingChildren, last }),
      )
    }
    return lines
  } finally {
    await connection.close()
  }
}

const within = async (ask: () => Promise<string[]>): Promise<string[]> => {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<string[]>((resolve) => {
    timer = setTimeout(() => resolve(['(no answer)']), ASKED_MS)
  })
  try {
    return await Promise.race([ask(), late])
  } catch (error) {
    return [String(error)]
  } finally {
    clearTimeout(timer)
  }
}

/** Who waits for whom: runs of the engine, backends of the database, and what each server has logged last. */
export const reportOn = async ({
  home,
  services,
  databaseUrl,
  temporalAddress,
}: Reported): Promise<string> => {
  const [runs, found] = await Promise.all([
    within(() => openRuns(temporalAddress)),
    within(() => backends(databaseUrl)),
  ])
  return [
    named('runs that go on', runs),
    named('backends of the database', found),
    ...services.map((service) => named(`log of ${service}`, lastLines(home.logFile(service)))),
  ].join('\n')
}
