import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { readRecord, type StoredProcess } from '../../stack/home/index.js'
import { gracefulThenKill, isRunning, stopProcess } from '../../stack/process/index.js'
import { startPorts } from '../support/start-ports.js'

/** `npm start` as a user meets it: one process that is started, killed, started again and stopped. */

const SERVICES = ['worker', 'api', 'temporal', 'postgres']
const START_MS = 300_000

const folder = mkdtempSync(join(tmpdir(), 'archivolt-start-'))
let home = join(folder, 'home')
let ports: { [setting: string]: string }
let password = ''

type Run = { child: ChildProcess; output: () => string; exited: Promise<number | null> }

const run = (script = 'start.ts', ...args: string[]): Run => {
  const { DATABASE_URL: _, TEMPORAL_ADDRESS: __, ARCHIVOLT_ADMIN_PASSWORD: ___, ...env } = process.env
  const child = spawn(process.execPath, ['--import', 'tsx', `stack/${script}`, ...args], {
    env: { ...env, ARCHIVOLT_HOME: home, ...ports },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let text = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (part: string) => {
      text += part
    })
  }
  return { child, output: () => text, exited: new Promise((resolve) => child.once('exit', resolve)) }
}

const startUntilReady = async (): Promise<Run> => {
  const started = run()
  const hasEnded = started.exited.then(() => Promise.reject(new Error(started.output())))
  const isReady = vi.waitFor(() => expect(started.output()).toContain('Ctrl-C stops everything.'), START_MS)
  await Promise.race([isReady, hasEnded])
  return started
}

const records = (): StoredProcess[] =>
  SERVICES.flatMap((name) => readRecord(join(home, 'run', `${name}.json`)) ?? [])

const request = (path: string, init: RequestInit = {}): Promise<Response> =>
  fetch(`http://127.0.0.1:${ports.ARCHIVOLT_PORT}/api/v1/${path}`, {
    ...init,
    headers: {
      authorization: `Basic ${Buffer.from(`Administrator:${password}`).toString('base64')}`,
      'content-type': 'application/json',
    },
  })

let stack: Run
beforeAll(async () => {
  ports = await startPorts()
  stack = await startUntilReady()
  password = /Administrator, password (\S+) /.exec(stack.output())?.[1] ?? ''
}, START_MS)
afterAll(async () => {
  stack.child.kill('SIGKILL')
  for (const record of records()) await stopProcess(record, gracefulThenKill(2_000))
  rmSync(folder, { recursive: true, force: true })
})

test('the password that it prints is the administrator’s', async () => {
  const body = { 'entity-type': 'document', type: 'File', name: 'kept', properties: { 'dc:title': 'Kept' } }
  const response = await request('path/default-domain/workspaces', {
    method: 'POST',
    body: JSON.stringify(body),
  })
  expect(response.status).toBe(201)
  expect((await fetch(`http://127.0.0.1:${ports.ARCHIVOLT_PORT}/api/v1/path/`)).status).toBe(401)
})

test('every server writes files for its own user alone', () => {
  const umaskOf = (pid: number): string | undefined =>
    /^Umask:\s*(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  const servers = records().map(({ pid }) => pid)
  expect(servers).toHaveLength(SERVICES.length)
  for (const pid of [stack.child.pid!, ...servers]) expect(umaskOf(pid), `process ${pid}`).toBe('0077')
})

let runId = ''

test('it takes files and runs chains', async () => {
  const content = { name: 'note.txt', 'mime-type': 'text/plain', data: 'bytes' }
  const blob = await request('path/default-domain/workspaces/kept', {
    method: 'PUT',
    body: JSON.stringify({ 'entity-type': 'document', properties: { 'file:content': content } }),
  })
  const chain = await request('contributions/chains/keeps', {
    method: 'PUT',
    body: JSON.stringify({ operations: ['Document.GetParent'] }),
  })
  const call = await request('automation/keeps', {
    method: 'POST',
    body: JSON.stringify({ input: '/default-domain/workspaces/kept' }),
  })
  runId = call.headers.get('archivolt-workflow-id') ?? ''
  expect([blob.status, chain.status, call.status, runId]).toEqual([200, 201, 200, expect.stringMatching(/./)])
})

test('it says on which Node the servers run', () => {
  expect(stack.output()).toMatch(/^API and worker run on Node \d+\.\d+\.\d+, /m)
})

test('a second start says which process has the folder', async () => {
  const second = run()
  expect(await second.exited).toBe(1)
  expect(second.output()).toContain(`already runs on ${home} (process ${stack.child.pid})`)
})

test('after kill -9 a start replaces what is left, and every document is there', async () => {
  const left = records()
  expect(left.filter(isRunning)).toHaveLength(SERVICES.length)
  stack.child.kill('SIGKILL')
  await stack.exited
  stack = await startUntilReady()
  expect(left.filter(isRunning)).toEqual([])
  expect(stack.output()).toContain('the password set at the first start')
  expect(stack.output()).not.toContain(password)
  expect((await request('path/default-domain/workspaces/kept')).status).toBe(200)
})

test('every server that is killed is started again', async () => {
  const before = records()
  for (const { pid } of before) process.kill(pid, 'SIGKILL')
  await vi.waitFor(
    async () => {
      expect(records().filter(isRunning)).toHaveLength(SERVICES.length)
      expect((await request('path/default-domain/workspaces/kept')).status).toBe(200)
    },
    { timeout: START_MS, interval: 200 },
  )
  expect(before.filter(isRunning)).toEqual([])
})

test('SIGTERM stops all in order and leaves no process', async () => {
  const running = records()
  stack.child.kill('SIGTERM')
  expect(await stack.exited).toBe(0)
  const stopped = [...stack.output().matchAll(/^(\w+) +stopped$/gm)].map(([, name]) => name)
  expect(stopped).toEqual(SERVICES)
  expect(running.filter(isRunning)).toEqual([])
  expect(readdirSync(join(home, 'run'))).toEqual([])
})

type Kept = { documents: number; files: unknown; runs: unknown }

/** What a home holds: how many documents, their files by digest, and the runs that Temporal knows. */
const kept = async (): Promise<Kept> => {
  const json = async (path: string) => (await request(path)).json() as Promise<{ [field: string]: unknown }>
  const listed = async (query: string) =>
    json(`search/execute?pageSize=1000&properties=*&query=${encodeURIComponent(query)}`)
  const { resultsCount } = await listed('SELECT * FROM Document')
  const { entries } = await listed('SELECT * FROM Document WHERE file:content/name IS NOT NULL')
  const files = (entries as { uid: string; properties: { 'file:content': { digest: string } } }[]).map(
    ({ uid, properties }) => [uid, properties['file:content'].digest],
  )
  const runs = (await json('automation/runs?pageSize=1000')).entries as {
    workflowId: string
    status: string
  }[]
  return {
    documents: resultsCount as number,
    files: files.sort(),
    runs: runs.map(({ workflowId, status }) => [workflowId, status]).sort(),
  }
}

test('a backup is restored into an empty home, with documents, files and runs', async () => {
  const archive = join(folder, 'backup.tar.gz')
  stack = await startUntilReady()
  const before = await kept()
  expect([before.documents, before.files, before.runs]).toEqual([
    expect.toSatisfy((documents: number) => documents > 4),
    expect.arrayContaining([expect.anything()]),
    expect.arrayContaining([[runId, 'COMPLETED']]),
  ])
  stack.child.kill('SIGTERM')
  expect(await stack.exited).toBe(0)
  const refused = run('keep.ts', 'restore', archive)
  expect([await refused.exited, refused.output()]).toEqual([1, `There is no file ${archive}.\n`])
  const written = run('keep.ts', 'backup', archive)
  expect([await written.exited, written.output()]).toEqual([0, expect.stringContaining('Backed up')])
  const onto = run('keep.ts', 'restore', archive)
  expect([await onto.exited, onto.output()]).toEqual([1, expect.stringContaining('is not empty')])

  home = join(folder, 'restored')
  const restored = run('keep.ts', 'restore', archive)
  expect([await restored.exited, restored.output()]).toEqual([0, expect.stringContaining('Restored')])
  stack = await startUntilReady()
  expect(await kept()).toEqual(before)
  expect((await request('path/default-domain/workspaces/kept')).status).toBe(200)
  expect(await (await request('path/default-domain/workspaces/kept/@blob/file:content')).text()).toBe('bytes')
  expect(await (await request(`automation/runs/${runId}`)).json()).toMatchObject({ status: 'COMPLETED' })
})
