import { spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { afterAll, expect } from 'vitest'
import { createApp } from '../../../api/app.js'
import { createEngine } from '../../../api/engine.js'
import { startServer } from '../../../api/server.js'
import { runCli } from '../../../cli/run-cli.js'
import { createTerminal } from '../../../cli/terminal/index.js'
import { createTestAutomation } from '../../support/automation.js'
import { ADMIN_PASSWORD } from '../../support/platform.js'

const LAUNCHER = fileURLToPath(new URL('../../../cli/archivolt.mjs', import.meta.url))

export type Outcome = { code: number | null; out: string; err: string }

type Invocation = { stdin?: string; environment?: NodeJS.ProcessEnv }

const textOf = (stream: PassThrough): string => String(stream.read() ?? '')

/** Chains that log: a text, a number, and the numbers of a list one by one. */
export const LOGGING_CHAINS = {
  say: '- Log:\n    message: hello\n',
  'say-number': "- Log:\n    message: 'expr:@{item}'\n",
  each: `params:
- target:
    type: string
operations:
- Context.RunOperationOnListInNewTx:
    id: say-number
    list: numbers
`,
}

/** The API with a worker on a free port, and a folder for the files of the tests. */
export const createCliServer = async (settings: NodeJS.ProcessEnv = {}) => {
  const automation = await createTestAutomation(settings)
  const engine = await createEngine(automation.platform)
  const server = await startServer(createApp(automation.platform, engine), { host: '127.0.0.1', port: 0 })
  const folder = await mkdtemp(join(tmpdir(), 'archivolt-cli-'))
  afterAll(async () => {
    await server.stop(100)
    await engine.close()
    await rm(folder, { recursive: true, force: true })
  })

  const url = `http://127.0.0.1:${server.port}`
  const administrator = {
    XDG_CONFIG_HOME: folder,
    ARCHIVOLT_URL: url,
    ARCHIVOLT_USER: 'Administrator',
    ARCHIVOLT_PASSWORD: ADMIN_PASSWORD,
  }

  /** Calls the command line in this process, without a terminal. */
  const cli = async (given: readonly string[], { stdin, environment }: Invocation = {}): Promise<Outcome> => {
    const [input, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()]
    input.end(stdin)
    const code = await runCli({
      arguments: given,
      environment: environment ?? administrator,
      terminal: createTerminal({ stdin: input, stdout, stderr }),
      interrupted: new AbortController().signal,
    })
    return { code, out: textOf(stdout), err: textOf(stderr) }
  }

  /** Starts the command as a process of its own, in another folder than the project's. */
  const start = (given: readonly string[]) => {
    const child = spawn(process.execPath, [LAUNCHER, ...given], {
      cwd: folder,
      env: { PATH: process.env.PATH, ...administrator },
    })
    const said = { out: '', err: '' }
    child.stdout.on('data', (chunk) => {
      said.out += chunk
    })
    child.stderr.on('data', (chunk) => {
      said.err += chunk
    })
    const ended = new Promise<Outcome>((resolve, reject) => {
      child.once('error', reject)
      child.once('close', (code) => resolve({ code, ...said }))
    })
    return { child, said, ended }
  }

  const file = async (name: string, text: string): Promise<string> => {
    const path = join(folder, name)
    await writeFile(path, text)
    return path
  }

  const deployed = async (id: string, yaml: string): Promise<void> => {
    const outcome = await cli(['deploy', await file(`${id}.yaml`, yaml)])
    expect(outcome).toMatchObject({ code: 0, err: '' })
  }

  return { ...automation, url, folder, administrator, cli, deployed, start, file }
}
