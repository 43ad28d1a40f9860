import { appendFileSync, existsSync, mkdtempSync, rmSync, truncateSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readRecord, writeRecord } from '../../../stack/home/index.js'
import {
  followLog,
  gracefulThenKill,
  isRunning,
  launchServer,
  type Server,
  whileRunning,
} from '../../../stack/process/index.js'
import { createProgress } from '../../../stack/progress/index.js'
import { createSupervisor, type Service, type Supervisor } from '../../../stack/supervisor/index.js'
import { soon } from '../../support/soon.js'

let folder: string
let said: string[]
let supervisor: Supervisor
const servers = new Map<string, Server>()

const inFolder = (name: string): string => join(folder, name)
const recordFile = (name: string): string => inFolder(`${name}.json`)

const newSupervisor = (): Supervisor =>
  createSupervisor({
    progress: createProgress({ write: (text) => said.push(text) }),
    recordFile,
    explain: (error) => (error as Error).message,
  })

const launch = (name: string, script: string): Server =>
  launchServer({
    command: '/bin/sh',
    args: ['-c', script],
    env: { PATH: process.env.PATH },
    logFile: inFolder(`${name}.log`),
    stopSteps: gracefulThenKill(200_000),
  })

/** A service that is a shell script, ready as soon as it has written a line. */
const serviceOf = (name: string, script: string): Service => ({
  name,
  start: async ({ onLaunch }) => {
    const server = launch(name, script)
    servers.set(name, server)
    onLaunch(server)
    await whileRunning(name, server, () => server.output() !== '')
    return 'here'
  },
})

const PATIENT = 'echo up; while :; do sleep 0.05; done'
const STUBBORN = `trap '' TERM; ${PATIENT}`

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'archivolt-supervisor-'))
  said = []
  supervisor = newSupervisor()
})
afterEach(async () => {
  supervisor.kill()
  await supervisor.stop([...servers.keys()])
  servers.clear()
  rmSync(folder, { recursive: true })
})

test('a server that runs and is never ready is given up, with what it said last', async () => {
  const server = launch('mute', "seq 1 50000; echo 'waiting for nothing'; while :; do sleep 0.05; done")
  servers.set('mute', server)
  await soon(() => expect(server.lastOutput()).toContain('waiting for nothing'))
  await expect(whileRunning('The mute', server, () => false, 50)).rejects.toThrow(
    /^The mute runs, but is not ready after 0 s\. Last output: 49998\n49999\n50000\nwaiting for nothing$/,
  )
  await server.stop()
})

test('a server that dies is started again, and said so', async () => {
  await supervisor.run(serviceOf('api', PATIENT))
  const first = servers.get('api')!
  process.kill(first.pid, 'SIGKILL')
  await soon(() => expect(said.filter((line) => line.startsWith('api        ready'))).toHaveLength(2))
  expect(said.join('')).toContain('api        restarting       ended with signal SIGKILL; again in 0.5 s\n')
  expect(servers.get('api')!.pid).not.toBe(first.pid)
  expect(readRecord(recordFile('api'))?.pid).toBe(servers.get('api')!.pid)
})

test('a server that never was ready reports why and is not started again', async () => {
  await expect(supervisor.run(serviceOf('api', 'exit 3'))).rejects.toThrow(
    'api ended with exit code 3 while it started: it wrote no output',
  )
  expect(said.join('')).not.toContain('restarting')
})

test('all stop in order, each before the next, and are not started again', async () => {
  for (const name of ['first', 'second', 'third']) await supervisor.run(serviceOf(name, PATIENT))
  said.length = 0
  await supervisor.stop(['third', 'second', 'first'])
  expect(said.map((line) => line.trim().split(/\s+/).join(' '))).toEqual([
    'third stopping',
    'third stopped',
    'second stopping',
    'second stopped',
    'first stopping',
    'first stopped',
  ])
  for (const server of servers.values()) expect(isRunning(server)).toBe(false)
  expect(existsSync(recordFile('first'))).toBe(false)
})

test('a stop that waits for a stubborn server can be hurried', async () => {
  await supervisor.run(serviceOf('api', STUBBORN))
  const startedAt = Date.now()
  const stopped = supervisor.stop(['api'])
  supervisor.kill()
  await stopped
  expect(Date.now() - startedAt).toBeLessThan(100_000)
})

test('what an earlier start left is ended, another process with a known id is not', async () => {
  const left = launch('api', PATIENT)
  const stranger = launch('worker', PATIENT)
  writeRecord(recordFile('api'), left)
  writeRecord(recordFile('worker'), { pid: stranger.pid, identity: 'the process that had this id before' })
  const steps = gracefulThenKill(1_000)
  await supervisor.endLeftovers([
    { name: 'worker', steps },
    { name: 'api', steps },
  ])
  expect(isRunning(left)).toBe(false)
  expect(isRunning(stranger)).toBe(true)
  expect(existsSync(recordFile('api'))).toBe(false)
  await stranger.stop()
})

test('a log is followed line by line, also when it begins again', async () => {
  const file = inFolder('followed.log')
  appendFileSync(file, 'before\n')
  const lines: string[] = []
  const stop = followLog(file, (line) => lines.push(line))
  appendFileSync(file, 'one\ntw')
  await soon(() => expect(lines).toEqual(['one']))
  appendFileSync(file, 'o\n')
  await soon(() => expect(lines).toEqual(['one', 'two']))
  truncateSync(file)
  appendFileSync(file, 'new\n')
  await soon(() => expect(lines.at(-1)).toBe('new'))
  stop()
})
