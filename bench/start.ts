import { type ChildProcess, spawn } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { DIST, ROOT } from '../stack/build/index.js'
import { freePort, LOOPBACK } from '../stack/process/index.js'
import { chooseNode, NODE_OPTIONS } from '../stack/services/index.js'
import { alternate, median } from './harness/rounds.js'
import type { Measure } from './harness/types.js'

const POLL_MS = 20

const isReady = async (url: string): Promise<boolean> => {
  try {
    const response = await fetch(`${url}/health/ready`)
    await response.arrayBuffer()
    return response.ok
  } catch {
    // Not listening yet.
    return false
  }
}

const end = async (child: ChildProcess): Promise<void> => {
  const exited = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGTERM')
  await exited
}

/** Seconds until `Archivolt is ready` is printed by `npm start` on a new folder. */
const startAll = async (environment: NodeJS.ProcessEnv = {}): Promise<number> => {
  const folder = mkdtempSync(join(tmpdir(), 'archivolt-bench-start-'))
  chmodSync(folder, 0o711)
  const own = { ARCHIVOLT_HOME: folder, ARCHIVOLT_PORT: String(await freePort()) }
  const env = { ...process.env, ...environment, ...own }
  const started = performance.now()
  const child = spawn(process.execPath, ['--import', 'tsx', join(ROOT, 'stack', 'start.ts')], {
    cwd: ROOT,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const seconds = await new Promise<number>((resolve, reject) => {
    let words = ''
    child.stdout.on('data', (chunk: Buffer) => {
      words += chunk
      if (words.includes('Archivolt is ready')) resolve((performance.now() - started) / 1_000)
    })
    child.once('exit', () => reject(new Error(`npm start ended: ${words}`)))
  })
  await end(child)
  rmSync(folder, { recursive: true, force: true })
  return seconds
}

/** Seconds until another API process on servers that are up answers that it is ready. */
const startApi = async (environment: NodeJS.ProcessEnv): Promise<number> => {
  const port = await freePort()
  const env = { ...process.env, ...environment, ARCHIVOLT_PORT: String(port) }
  const started = performance.now()
  const child = spawn(chooseNode().command, [...NODE_OPTIONS, join(DIST, 'api.js')], {
    cwd: ROOT,
    env,
    stdio: 'ignore',
  })
  while (!(await isReady(`http://${LOOPBACK}:${port}`))) await sleep(POLL_MS)
  const seconds = (performance.now() - started) / 1_000
  await end(child)
  return seconds
}

const repeated = async (times: number, work: () => Promise<number>): Promise<number> => {
  const values: number[] = []
  for (let index = 0; index < times; index++) values.push(await work())
  return median(values)
}

/** From nothing but what is fetched to ready, all of it and the API alone. */
export const measureStart: Measure = async ({ servers, isQuick }) => {
  const times = isQuick ? 1 : 3
  // In turns, so that neither has what the other has read.
  const ready = await alternate(times, {
    ours: () => startAll({ ARCHIVOLT_ELASTICSEARCH: 'on' }),
    floor: () => startAll({ ARCHIVOLT_ELASTICSEARCH: 'off' }),
  })
  return [
    {
      name: 'API alone to ready',
      unit: 's',
      ours: await repeated(times, () => startApi(servers.env)),
      goal: { most: 2 },
    },
    { name: 'npm start to ready', unit: 's', ours: ready.ours, goal: { most: 8 } },
    {
      name: 'npm start to ready, beside one without Elasticsearch',
      unit: 's',
      ...ready,
      goal: { most: 1.05 },
    },
  ]
}
