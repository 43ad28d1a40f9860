import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import postgres from 'postgres'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'

import { soon } from '../support/soon.js'
import { addressOf, onServer, uniqueName } from '../support/template.js'
import { must, type Writer, writer } from '../upgrade/content.js'
import { migrations, restoreDump } from '../upgrade/dump.js'
import { type Release, readFixture, releases } from '../upgrade/fixture.js'
import { type Installation, openInstallation } from '../upgrade/installation.js'
import { fileOf, folderOf, handler, marksOf, mend, runSchedule, startRun } from '../upgrade/open-runs.js'
import { ask, type Exchange } from '../upgrade/questions.js'
import { afterFailure } from './after-failure.js'

/** What runs leave, which the product removes when it is old: an upgrade takes minutes, and its test is years later. */
const OF_RUNS = [
  'bulk_commands',
  'inline_runs',
  'loop_progress',
  'outbox',
  'receipts',
  'run_incidents',
  'transient_entries',
]

/** Moves the moments of what runs have left as if it had been recorded just now. */
const makeRecent = async (sql: postgres.Sql, { recordedAt }: Release): Promise<void> => {
  const columns = await sql<{ table: string; column: string }[]>`
    SELECT table_name AS table, column_name AS column FROM information_schema.columns
    WHERE table_schema = 'public' AND data_type = 'timestamp with time zone' AND table_name = ANY (${OF_RUNS})`
  for (const { table, column } of columns)
    await sql`UPDATE ${sql(table)} SET ${sql(column)} = ${sql(column)} + (now() - ${recordedAt}::timestamptz)`
}

/** A server that is upgraded where it is goes on with its number of transactions, by which events are read in order. */
const countOn = (sql: postgres.Sql, { transactions }: Release) =>
  sql.unsafe(`DO $$ BEGIN
    WHILE pg_snapshot_xmax(pg_current_snapshot())::text::bigint <= ${transactions} LOOP
      PERFORM pg_current_xact_id();
      COMMIT;
    END LOOP;
  END $$`)

/** Since 0.1.0 nobody gets the ids of collections that he may not read. */
const HIDDEN = 'collectionMember:collectionIds'

/** Since 0.1.0 the icon is that of the type, labels are keys of messages, and a group shows its lists to those who fetch them. */
const CHANGED = ['common:icon', 'label', 'memberUsers', 'memberGroups', 'parentGroups']

type Listed = { entries: { path: string }[] }

const expectedOf = <Answer>(answer: Answer, user: string): Answer =>
  JSON.parse(JSON.stringify(answer), (key, value) => {
    if (CHANGED.includes(key) || (key === HIDDEN && user !== 'Administrator')) return undefined
    // A breadcrumb begins below the root.
    if (key !== 'breadcrumb') return value
    return { ...value, entries: (value as Listed).entries.filter(({ path }) => path !== '/') }
  })

describe.each(releases())('an installation of the release %s', (version) => {
  const { release, database, exchanges, unpack } = readFixture<Exchange>(version)
  const { open, scheduled, bulk, failedItems, failed } = release.runs
  const server = inject('databaseServer')
  const name = uniqueName('upgrade')
  const databaseUrl = addressOf(server, name)
  const folder = mkdtempSync(join(tmpdir(), 'archivolt-upgrade-'))
  let installation: Installation
  let to: Writer

  beforeAll(async () => {
    await onServer(server, `CREATE DATABASE ${name}`)
    await restoreDump(databaseUrl, database)
    const sql = postgres(databaseUrl, { max: 1 })
    await makeRecent(sql, release)
    await countOn(sql, release)
    await sql.end()
    unpack(folder)
    installation = await openInstallation({ folder, databaseUrl }).catch((cause: unknown) => {
      throw new Error(`Temporal does not open what its version ${release.temporal} has left`, { cause })
    })
    to = writer(installation)
    await installation.startApi()
    await installation.startWorker()
  })
  afterAll(async () => {
    await installation?.stop()
    await onServer(server, `DROP DATABASE ${name} WITH (FORCE)`)
    rmSync(folder, { recursive: true, force: true })
  })
  afterFailure(() => void process.stdout.write(`${installation?.errors().join('\n')}\n`))

  const ended = (id: string) =>
    soon(async () => {
      const run = await must(installation, `automation/runs/${encodeURIComponent(id)}`)
      expect(run.status).not.toBe('RUNNING')
      return run
    })

  const retried = async (id: string, what: string): Promise<string> =>
    String((await to.send(`automation/runs/${encodeURIComponent(id)}/${what}`, 'POST', undefined)).workflowId)

  test('has the migrations of this release', async () => {
    const sql = postgres(databaseUrl, { max: 1 })
    const applied = await sql`SELECT hash FROM drizzle.__drizzle_migrations ORDER BY id`
    await sql.end()
    expect(applied.map(({ hash }) => hash)).toEqual(migrations().map(({ hash }) => hash))
  })

  test('answers as it did', async () => {
    expect(exchanges.length).toBeGreaterThan(0)
    for (const { question, answer } of exchanges) {
      const { status, content } = await ask(installation, question)
      const about = `${question.user} ${question.path}`
      // A release may add to what an answer holds.
      expect({ about, status, content }).toMatchObject({ about, ...expectedOf(answer, question.user) })
    }
  })

  test.each(open)('goes on with its run $folder', async (run) => {
    expect(await ended(run.id)).toMatchObject({ status: 'COMPLETED', chainId: run.chain })
    expect(await marksOf(to, run)).toEqual(run.expected)
  })

  test('goes on with its scheduled run, and keeps the schedule', async () => {
    expect(await ended(scheduled.id)).toMatchObject({ status: 'COMPLETED', chainId: scheduled.chain })
    expect(await marksOf(to, scheduled)).toEqual(scheduled.expected)
    expect(await ended(await runSchedule(to))).toMatchObject({ status: 'COMPLETED' })
    expect(await marksOf(to, scheduled)).toEqual(Array(5).fill('xx|'))
  })

  test('goes on with its bulk command', async () => {
    const items = { done: 5, failed: 0, total: 5 }
    expect(await ended(bulk.id)).toMatchObject({ status: 'COMPLETED', items })
    expect(await marksOf(to, bulk)).toEqual(bulk.expected)
  })

  test('starts the handlers of events that nobody has relayed', () =>
    soon(async () => {
      const late = await to.send(`path${folderOf(handler)}/${handler.document}`, 'GET', undefined, {
        headers: { properties: 'dublincore' },
      })
      expect(late.properties).toMatchObject({ 'dc:rights': 'x' })
    }))

  test('does failed items of a run again, and no other', async () => {
    await mend(to, failedItems)
    const again = await ended(await retried(failedItems.id, 'items/retry'))
    expect(again).toMatchObject({ status: 'COMPLETED', repairs: failedItems.id })
    expect(await marksOf(to, failedItems)).toEqual(failedItems.expected)
  })

  test('starts a failed run again where it stood', async () => {
    await mend(to, failed)
    expect(await ended(await retried(failed.id, 'retry'))).toMatchObject({ status: 'COMPLETED' })
    expect(await marksOf(to, failed)).toEqual(failed.expected)
  })

  test('takes new work', async () => {
    expect(await ended(await startRun(installation, scheduled))).toMatchObject({ status: 'COMPLETED' })
    expect(await marksOf(to, scheduled)).toEqual(Array(5).fill('xxx|'))
    const file = fileOf(scheduled, 0)
    await to.operate('Document.CreateVersion', file, { increment: 'Minor' })
    expect((await to.change(file, { 'dc:title': 'After' })).title).toBe('After')
  })
})
