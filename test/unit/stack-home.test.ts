import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import {
  choosePassword,
  markShown,
  openHome,
  readRecord,
  takeLock,
  writeRecord,
} from '../../stack/home/index.js'
import { processIdentity } from '../../stack/process/index.js'

let folder: string
const start = () => ({ home: folder, purpose: 'start' as const })
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'archivolt-home-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

test('a new home is for its user alone, but that Postgres passes through that of root', () => {
  const home = join(folder, 'new', 'home')
  openHome(home)
  const mode = process.getuid?.() === 0 ? 0o711 : 0o700
  for (const place of [home, join(folder, 'new')]) expect(statSync(place).mode & 0o777).toBe(mode)
})

test('a second start on the same home learns who has it', async () => {
  const file = join(folder, 'run', 'stack.json')
  const lock = await takeLock(file, start())
  await expect(takeLock(file, start())).rejects.toThrow(
    new RegExp(`already runs on ${folder} \\(process ${process.pid}\\).*ARCHIVOLT_HOME`),
  )
  await expect(takeLock(file, { home: folder, purpose: 'backup' })).rejects.toThrow(
    `Archivolt already runs on ${folder} (process ${process.pid}): stop it first.`,
  )
  lock.release()
  await expect(takeLock(file, start())).resolves.toBeDefined()
})

test.each([
  ['whose process is gone', { pid: 2 ** 30, identity: 'gone' }],
  ['whose process id now belongs to another', { pid: process.pid, identity: 'an earlier process' }],
])('a lock %s is taken over', async (_, record) => {
  const file = join(folder, 'stack.json')
  writeRecord(file, record)
  await takeLock(file, start())
  expect(readRecord(file)).toMatchObject({ pid: process.pid, identity: processIdentity(process.pid) })
})

test('a lock file that was cut short is taken over', async () => {
  const file = join(folder, 'stack.json')
  writeFileSync(file, '{"pid":')
  await expect(takeLock(file, start())).resolves.toBeDefined()
})

test('a start waits for one that is stopping', async () => {
  const file = join(folder, 'stack.json')
  const first = await takeLock(file, start())
  first.markStopping()
  const second = takeLock(file, start())
  const early = await Promise.race([
    second.then(() => 'taken'),
    new Promise((resolve) => setTimeout(resolve, 250, 'waiting')),
  ])
  expect(early).toBe('waiting')
  first.release()
  await expect(second).resolves.toBeDefined()
})

test('a generated password is kept for our eyes until it was shown, then forgotten', () => {
  const file = join(folder, 'administrator.json')
  const first = choosePassword(file, undefined)
  if (first.origin !== 'generated') return expect.unreachable()
  expect(first.password).toMatch(/^[\w-]{16}$/)
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(choosePassword(file, undefined)).toEqual(first)
  markShown(file)
  expect(readFileSync(file, 'utf8')).not.toContain(first.password)
  expect(choosePassword(file, undefined)).toEqual({ origin: 'earlier' })
})

test('a password from the settings is never written', () => {
  const file = join(folder, 'administrator.json')
  expect(choosePassword(file, 'chosen')).toEqual({ origin: 'setting', password: 'chosen' })
  markShown(file)
  expect(readFileSync(file, 'utf8')).not.toContain('chosen')
})
