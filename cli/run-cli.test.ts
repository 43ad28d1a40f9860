import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import manifest from '../package.json' with { type: 'json' }
import { runCli } from './run-cli.js'
import { createTerminal } from './terminal/index.js'

const call = async (
  given: readonly string[],
  environment: NodeJS.ProcessEnv = { XDG_CONFIG_HOME: '/nowhere' },
) => {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()]
  const code = await runCli({
    arguments: given,
    environment,
    terminal: createTerminal({ stdin, stdout, stderr }),
    interrupted: new AbortController().signal,
  })
  return { code, out: String(stdout.read() ?? ''), err: String(stderr.read() ?? '') }
}

test('--help explains the commands, the environment and the exit codes', async () => {
  const { code, out, err } = await call(['--help'])
  expect({ code, err }).toEqual({ code: 0, err: '' })
  for (const text of ['deploy [options] <file...>', 'ARCHIVOLT_URL', '130  interrupted'])
    expect(out).toContain(text)
})

test.each([
  [['deplo'], 2, "archivolt: unknown command 'deplo'"],
  [['run'], 2, "archivolt: missing required argument 'chain'"],
  [['run', 'demo', '--inpt', 'x'], 2, "archivolt: unknown option '--inpt'"],
  [['deploy'], 2, "archivolt: missing required argument 'file'"],
  [['run', 'demo', 'more'], 2, 'archivolt: too many arguments'],
  [['chains'], 4, 'archivolt: Not logged in, and no server is known'],
  [['login', 'nonsense'], 2, 'archivolt: nonsense is not the address of a server'],
])('%j ends with %d', async (given, code, message) => {
  const outcome = await call(given)
  expect(outcome).toMatchObject({ code, out: '' })
  expect(outcome.err).toContain(message)
  expect(outcome.err).not.toMatch(/^ +at /m)
})

test('--version prints the version of the command', async () => {
  expect(await call(['--version'])).toEqual({ code: 0, out: `${manifest.version}\n`, err: '' })
})

test('a command alone says what there is', async () => {
  expect(await call([])).toMatchObject({ code: 2, err: expect.stringContaining('Usage: archivolt') })
})
