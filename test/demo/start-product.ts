import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startReaper } from '../../stack/process/index.js'
import { startPorts } from '../support/start-ports.js'

export type Product = {
  url: string
  temporalUi: string
  user: string
  password: string
  /** A call of the REST API as the administrator. */
  call(path: string, init?: RequestInit): Promise<Response>
  stop(): Promise<void>
}

const USER = 'Administrator'
const PASSWORD = 'demonstration'

/** What `npm start` runs, in a folder of its own: Postgres, Temporal with its UI, the API and the worker. */
export const startProduct = async (): Promise<Product> => {
  const home = mkdtempSync(join(tmpdir(), 'archivolt-demo-'))
  const reaper = startReaper(home)
  const ports = await startPorts()
  const { DATABASE_URL: _, TEMPORAL_ADDRESS: __, ...environment } = process.env
  const child = spawn(process.execPath, ['--import', 'tsx', 'stack/start.ts'], {
    env: {
      ...environment,
      ARCHIVOLT_HOME: home,
      ...ports,
      ARCHIVOLT_ADMIN_PASSWORD: PASSWORD,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  if (child.pid) reaper.watch(child.pid)
  let output = ''
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const isReady = new Promise<void>((resolve) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text
        if (output.includes('Ctrl-C stops everything.')) resolve()
      })
    }
  })
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM')
    await exited
    rmSync(home, { recursive: true, force: true })
    reaper.dismiss()
  }
  await Promise.race([isReady, exited])
  const temporalUi = /Temporal UI {4}(\S+)/.exec(output)?.[1]
  if (child.exitCode !== null || !temporalUi) {
    await stop()
    throw new Error(`The product did not start:\n${output}`)
  }
  const url = `http://127.0.0.1:${ports.ARCHIVOLT_PORT}`
  const authorization = `Basic ${Buffer.from(`${USER}:${PASSWORD}`).toString('base64')}`
  return {
    url,
    temporalUi,
    user: USER,
    password: PASSWORD,
    call: (path, init = {}) =>
      fetch(`${url}/api/v1/${path}`, {
        ...init,
        headers: { authorization, ...Object.fromEntries(new Headers(init.headers)) },
      }),
    stop,
  }
}
