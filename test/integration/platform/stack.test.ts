import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import postgres from 'postgres'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ensureDatabase, type PostgresServer, startPostgres } from '../../../stack/postgres/index.js'
import { freePort, isRunning, startReaper } from '../../../stack/process/index.js'

const folder = mkdtempSync(join(tmpdir(), 'archivolt-stack-'))
const reaper = startReaper(folder)
let server: PostgresServer

const start = async (states: string[] = []): Promise<PostgresServer> => {
  const started = await startPostgres({
    dataFolder: join(folder, 'postgres'),
    passwordFile: join(folder, 'postgres-password'),
    logFile: join(folder, 'postgres.log'),
    port: await freePort(),
    isDurable: true,
    maxConnections: 20,
    onState: (state) => states.push(state),
  })
  reaper.watch(started.pid)
  return started
}

const query = async (statement: string): Promise<unknown[]> => {
  const sql = postgres(server.url('archivolt'), { max: 1, onnotice: () => undefined })
  try {
    return [...(await sql.unsafe(statement))]
  } finally {
    await sql.end()
  }
}

beforeAll(async () => {
  chmodSync(folder, 0o711)
  const states: string[] = []
  server = await start(states)
  expect(states).toEqual(['building', 'starting'])
  await ensureDatabase(server.url('postgres'), 'archivolt')
  await query('CREATE TABLE kept (start text)')
})
afterAll(async () => {
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
  reaper.dismiss()
})

test('keeps its password in a file that only we may read', () => {
  expect(statSync(join(folder, 'postgres-password')).mode & 0o777).toBe(0o600)
})

test('data survives a stop and a start, and the data folder is made once', async () => {
  await query("INSERT INTO kept VALUES ('first')")
  await server.stop()
  expect(server.exit()).toEqual({ code: 0, signal: null })
  const states: string[] = []
  server = await start(states)
  expect(states).toEqual(['starting'])
  await ensureDatabase(server.url('postgres'), 'archivolt')
  expect(await query('SELECT start FROM kept')).toEqual([{ start: 'first' }])
})

test('a server that a killed start left running is ended and replaced', async () => {
  await query("INSERT INTO kept VALUES ('second')")
  const left = server
  server = await start()
  expect(isRunning(left)).toBe(false)
  expect(await query('SELECT start FROM kept')).toEqual([{ start: 'first' }, { start: 'second' }])
})

test('nothing that was committed is lost when the server itself is killed', async () => {
  await query("INSERT INTO kept VALUES ('third')")
  process.kill(server.pid, 'SIGKILL')
  await server.exited
  server = await start()
  expect(await query('SELECT start FROM kept')).toHaveLength(3)
})

test('a lock file whose process id belongs to another process now is no obstacle, nor is that process', async () => {
  await server.stop()
  const lines = [
    '',
    join(folder, 'postgres'),
    '1700000000',
    '5433',
    '',
    '127.0.0.1',
    '  1  1',
    'ready   ',
    '',
  ]
  writeFileSync(join(folder, 'postgres', 'postmaster.pid'), `${process.pid}${lines.join('\n')}`)
  server = await start()
  expect(await query('SELECT start FROM kept')).toHaveLength(3)
})

test('a database whose password is gone is refused in one sentence, untouched', async () => {
  await server.stop()
  const password = readFileSync(join(folder, 'postgres-password'))
  rmSync(join(folder, 'postgres-password'))
  await expect(start()).rejects.toThrow(/its password file .* is gone: .*ARCHIVOLT_HOME/)
  writeFileSync(join(folder, 'postgres-password'), password, { mode: 0o600 })
  server = await start()
  expect(await query('SELECT start FROM kept')).toHaveLength(3)
})

test('reports in its own words why it does not start', async () => {
  await server.stop()
  const configuration = join(folder, 'postgres', 'postgresql.conf')
  const before = readFileSync(configuration)
  writeFileSync(configuration, 'shared_buffers = plenty\n')
  await expect(start()).rejects.toThrow(
    /^Postgres ended with exit code 1 while it started: .*shared_buffers/s,
  )
  writeFileSync(configuration, before)
  server = await start()
})
