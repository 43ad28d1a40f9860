/**
 * Records what an installation of this release leaves when it is stopped: `npx tsx test/upgrade/record.ts`, once for
 * each release, by whoever makes it. `test/slow/upgrade.test.ts` brings it up with the code of its time.
 *
 * What is committed stays as it is: it stands for the installations of that release.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client, Connection } from '@temporalio/client'
import postgres from 'postgres'
import { ensureDatabase, startPostgres } from '../../stack/postgres/index.js'
import { freePort, startReaper } from '../../stack/process/index.js'
import { must, populate, writer } from './content.js'
import { dumpDatabase, migrations } from './dump.js'
import { RELEASES, type RecordedRuns, writeFixture } from './fixture.js'
import { ADMINISTRATOR, type Installation, openInstallation } from './installation.js'
import {
  bulkRun,
  deployAll,
  failedItems,
  failedRun,
  folderOf,
  GATE,
  handler,
  makeFiles,
  marksOf,
  openRuns,
  type PlannedRun,
  type RecordedRun,
  runSchedule,
  scheduledRun,
  startBulk,
  startRun,
} from './open-runs.js'
import { ask, type Exchange, type Question, questions } from './questions.js'
import { keepEndedRuns, openHistories, openIds, removeOwnSchedules, untilQueued } from './temporal-state.js'

/** Runs that wait for the held files: those that are called, the scheduled one and the bulk command. */
const WAITING = openRuns.length + 2
/** With the runs below two of them. */
const OPEN = WAITING + 2

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string
}

const until = async (what: string, check: () => Promise<boolean>): Promise<void> => {
  for (const end = Date.now() + 60_000; Date.now() < end; await sleep(100)) if (await check()) return
  throw new Error(`It took longer than a minute: ${what}`)
}

const runToItsEnd = async (installation: Installation, run: PlannedRun): Promise<RecordedRun> => {
  const id = await startRun(installation, run)
  await until(`the end of ${id}`, async () => {
    const { status } = await must(installation, `automation/runs/${encodeURIComponent(id)}`)
    return status !== 'RUNNING'
  })
  return { ...run, id }
}

/** Starts what is to wait for files that somebody holds, and waits until it does. */
const startWaiting = async (
  installation: Installation,
  { sql, client }: { sql: postgres.Sql; client: Client },
): Promise<Pick<RecordedRuns, 'open' | 'scheduled' | 'bulk'>> => {
  const to = writer(installation)
  const open: RecordedRun[] = []
  for (const run of openRuns) open.push({ ...run, id: await startRun(installation, run) })
  await until('the schedule', async () => {
    const { entries } = await must(installation, 'automation/schedules')
    return (entries as { next?: unknown[] }[]).some(({ next = [] }) => next.length > 0)
  })
  const scheduled = { ...scheduledRun, id: await runSchedule(to) }
  const bulk = { ...bulkRun, id: await startBulk(to) }
  await until('runs that wait', async () => {
    const waiting = await sql`
      SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`
    return waiting.length >= WAITING
  })
  await until('a list of open runs', async () => (await openIds(client)).length === OPEN)
  const marks = await marksOf(to, scheduled)
  if (marks.join() !== 'x|,x|,|,|,|')
    throw new Error(`The scheduled run does not wait at its third file: ${marks}`)
  return { open, scheduled, bulk }
}

/** The questions with their answers, and how the ended runs are reported. */
const askAll = async (installation: Installation, ended: readonly RecordedRun[]): Promise<Exchange[]> => {
  const reports = ended.flatMap(({ id }) => {
    const path = `automation/runs/${encodeURIComponent(id)}`
    return [path, `${path}/items`].map((each): Question => ({ user: ADMINISTRATOR, path: each }))
  })
  const exchanges: Exchange[] = []
  for (const question of [...questions, ...reports])
    exchanges.push({ question, answer: await ask(installation, question) })
  return exchanges
}

/** Makes everything, and stops it all while runs are waiting. */
const recordAt = async (folder: string, databaseUrl: string): Promise<string> => {
  // Failures are kept with their stacks, which name the folders of this machine.
  const settings = { NODE_OPTIONS: '--stack-trace-limit=0' }
  const installation = await openInstallation({ folder, databaseUrl, settings })
  const { temporalAddress: address } = installation
  const connection = await Connection.connect({ address })
  const client = new Client({ connection })
  const sql = postgres(databaseUrl, { max: 1, onnotice: () => undefined })
  const holder = postgres(databaseUrl, { max: 1, onnotice: () => undefined })
  try {
    await keepEndedRuns(client)
    const api = await installation.startApi()
    const worker = await installation.startWorker()
    const to = writer(installation)
    await populate(installation)
    await deployAll(to)
    await makeFiles(to)
    const withFailedItems = await runToItsEnd(installation, failedItems)
    const failed = await runToItsEnd(installation, failedRun)
    return await holder.begin(async (tx) => {
      await tx`SELECT FROM documents WHERE name = ${GATE} FOR UPDATE`
      const waiting = await startWaiting(installation, { sql, client })
      const runs = { ...waiting, failedItems: withFailedItems, failed }
      const exchanges = await askAll(installation, [withFailedItems, failed])
      worker.kill()
      await worker.exited
      // No worker is there to relay its event.
      await to.make(folderOf(handler), 'File', handler.document)
      api.kill()
      await api.exited
      await removeOwnSchedules(client)
      await untilQueued(client)
      const named = [...waiting.open, waiting.scheduled, waiting.bulk]
      const histories = await openHistories(client, { address, runs: named })
      const { serverVersion: temporal } = await client.workflowService.getSystemInfo({})
      await connection.close()
      await installation.stopTemporal()
      const [counted] = await sql<{ transactions: number }[]>`
        SELECT pg_snapshot_xmax(pg_current_snapshot())::text::int AS transactions`
      const { transactions = 0 } = counted ?? {}
      const database = await dumpDatabase(databaseUrl)
      const release = {
        version,
        recordedAt: new Date().toISOString(),
        temporal,
        transactions,
        migrations: migrations().map(({ tag, hash }) => ({ tag, hash })),
        runs,
      }
      return writeFixture(release, { home: folder, database, exchanges, histories })
    })
  } finally {
    await Promise.all([sql.end(), holder.end()])
    await installation.stop()
  }
}

const record = async (): Promise<void> => {
  if (existsSync(join(RELEASES, version)))
    throw new Error(`${version} is recorded already; remove test/upgrade/releases/${version} to do it again`)
  const folder = mkdtempSync(join(tmpdir(), 'archivolt-upgrade-'))
  const reaper = startReaper(folder)
  const database = await startPostgres({
    dataFolder: join(folder, 'postgres'),
    passwordFile: join(folder, 'postgres-password'),
    logFile: join(folder, 'postgres.log'),
    port: await freePort(),
    isDurable: false,
    maxConnections: 200,
  })
  reaper.watch(database.pid)
  try {
    await ensureDatabase(database.url('postgres'), 'archivolt')
    process.stdout.write(`recorded ${await recordAt(join(folder, 'home'), database.url('archivolt'))}\n`)
  } finally {
    await database.stop()
    rmSync(folder, { recursive: true, force: true })
    reaper.dismiss()
  }
}

await record()
