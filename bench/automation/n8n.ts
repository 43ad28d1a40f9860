/**
 * n8n as it runs by itself, with its database in a file and every execution saved: a webhook, and three nodes that set
 * fields. It is no dependency of this project: install it elsewhere (see bench/README.md).
 */
import { execFile, spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { freePort, LOOPBACK } from '../../stack/process/index.js'
import { call } from '../harness/client.js'

const run = promisify(execFile)

const STARTS_WITHIN_MS = 120_000

type Fields = { [name: string]: string }

const setNode = (name: string, fields: Fields) => ({
  id: name,
  name,
  type: 'n8n-nodes-base.set',
  typeVersion: 3.4,
  position: [0, 0],
  parameters: {
    includeOtherFields: true,
    assignments: {
      assignments: Object.entries(fields).map(([field, value]) => ({
        id: field,
        name: field,
        type: 'string',
        value,
      })),
    },
    options: {},
  },
})

const NODES = [
  {
    id: 'Call',
    name: 'Call',
    type: 'n8n-nodes-base.webhook',
    typeVersion: 2,
    position: [0, 0],
    webhookId: 'bench',
    parameters: { httpMethod: 'POST', path: 'bench', responseMode: 'lastNode', options: {} },
  },
  setNode('Find', { folder: '={{ $json.body.params.folder }}' }),
  setNode('Title', { title: '={{ $json.folder }} of a chain' }),
  setNode('Create', { path: "={{ $json.folder }}/{{ $('Call').item.json.body.params.key }}" }),
]

const WORKFLOW = {
  id: 'bench',
  name: 'bench',
  nodes: NODES,
  connections: Object.fromEntries(
    NODES.slice(1).map(({ name }, index) => [
      NODES[index]?.name,
      { main: [[{ node: name, type: 'main', index: 0 }]] },
    ]),
  ),
  settings: { saveDataSuccessExecution: 'all', saveDataErrorExecution: 'all' },
  active: false,
}

const answers = async (url: string, body: string): Promise<boolean> => {
  try {
    await call('POST', url, { body })
    return true
  } catch {
    return false
  }
}

/**
 * Starts n8n and waits until the workflow answers.
 *
 * @param installed the folder in which it was installed.
 * @throws Error when it does not answer within two minutes.
 */
export const startN8n = async (installed: string): Promise<{ url: string; stop(): Promise<void> }> => {
  const program = join(resolve(installed), 'node_modules', 'n8n', 'bin', 'n8n')
  const folder = mkdtempSync(join(tmpdir(), 'archivolt-bench-n8n-'))
  const port = await freePort()
  const env = {
    ...process.env,
    N8N_USER_FOLDER: folder,
    N8N_PORT: String(port),
    N8N_LISTEN_ADDRESS: LOOPBACK,
    N8N_DIAGNOSTICS_ENABLED: 'false',
    N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
    N8N_RUNNERS_ENABLED: 'false',
    // The faster of its two, without isolation.
    N8N_EXPRESSION_ENGINE: 'legacy',
    N8N_LOG_LEVEL: 'error',
    NODE_ENV: 'production',
  }
  const file = join(folder, 'workflow.json')
  writeFileSync(file, JSON.stringify([WORKFLOW]))
  await run(process.execPath, [program, 'import:workflow', `--input=${file}`], { env })
  await run(process.execPath, [program, 'update:workflow', '--all', '--active=true'], { env })
  const child = spawn(process.execPath, [program, 'start'], { env, stdio: 'ignore' })
  const exited = new Promise<void>((done) => child.once('exit', () => done()))
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM')
    await exited
    rmSync(folder, { recursive: true, force: true })
  }
  const url = `http://${LOOPBACK}:${port}/webhook/bench`
  const body = JSON.stringify({ params: { folder: '/bench', key: 'first' } })
  const until = Date.now() + STARTS_WITHIN_MS
  while (!(await answers(url, body))) {
    if (child.exitCode !== null || Date.now() > until) {
      await stop()
      throw new Error(`${program} does not answer`)
    }
    await pause(500)
  }
  return { url, stop }
}
