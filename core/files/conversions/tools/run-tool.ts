import { open } from 'node:fs/promises'
import { basename } from 'node:path'
import { fail } from '../../../platform/errors/index.js'
import type { ConfinedRun, Sandbox } from '../sandbox/sandbox.js'
import { watchFolder } from './folder-limits.js'
import { killGroup, spawnTool } from './process-group.js'
import type { Tools } from './tools.js'
import { withoutPaths } from './without-paths.js'

/** Enough for the JSON of a probe; a program that writes more to its output is misbehaving. */
const MAX_OUTPUT_CHARS = 4 * 1024 * 1024
const ERROR_TAIL_CHARS = 2000

/** `command` is an absolute path; `folder` is private to the run, and removed by the caller. */
export type ToolRun = ConfinedRun & {
  tools: Tools
  timeoutMs: number
  signal?: AbortSignal | undefined
  /** Beside what every program gets. */
  env?: Readonly<Record<string, string>>
  /** Files in place of standard input and output, absolute. */
  stdinFile?: string
  stdoutFile?: string
  /** Exit codes beside 0 that are no failure. */
  exitCodes?: readonly number[] | undefined
  /** Called with each piece of standard output as it comes. */
  onOutput?: (text: string) => void
  /** The same of standard error. */
  onErrorOutput?: (text: string) => void
}

/**
 * Runs a program in the sandbox to its end and returns its standard output. No shell reads its arguments. The program and all its children
 * are killed when it takes longer than `timeoutMs` (fails with `timeout`) or `signal` aborts (throws its reason); an
 * exit code other than 0 fails with `conversionFailed` and the last words of its standard error.
 */
export const runTool = async (run: ToolRun): Promise<string> => {
  const input = run.stdinFile === undefined ? undefined : await open(run.stdinFile)
  const output = run.stdoutFile === undefined ? undefined : await open(run.stdoutFile, 'w', 0o600)
  try {
    const stdio = [input?.fd ?? 'ignore', output?.fd ?? 'pipe', 'pipe'] as const
    return await runIn(await run.tools.sandbox(), run, stdio)
  } finally {
    await input?.close()
    await output?.close()
  }
}

type Pipes = readonly ['ignore' | number, 'pipe' | number, 'pipe']

const runIn = (sandbox: Sandbox, run: ToolRun, stdio: Pipes): Promise<string> =>
  new Promise((resolve, reject) => {
    const { command, signal, timeoutMs, tools } = run
    const name = basename(command)
    if (signal?.aborted) return reject(signal.reason)
    const child = spawnTool({ ...tools, ...run, sandbox, stdio: [...stdio] })
    let output = ''
    let errors = ''
    let reason: unknown

    const stop = (why: unknown) => {
      reason ??= why
      killGroup(child)
    }
    const onAbort = () => stop(signal?.reason)
    signal?.addEventListener('abort', onAbort, { once: true })
    const timer = setTimeout(() => stop(tooSlow(name, timeoutMs)), timeoutMs)
    const unwatch = watchFolder({ folder: run.folder, name, mostBytes: 2 * tools.fileBytes }, stop)

    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      output += text
      run.onOutput?.(text)
      if (output.length > MAX_OUTPUT_CHARS) stop(fail('conversionFailed', `${name} wrote too much output`))
    })
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      run.onErrorOutput?.(text)
      errors = (errors + text).slice(-ERROR_TAIL_CHARS)
    })
    child.on('error', (error) => {
      reason ??= error
    })
    // What the program left running would keep its pipes, and so `close`, waiting.
    child.on('exit', () => killGroup(child))
    child.on('close', (code, killedBy) => {
      clearTimeout(timer)
      unwatch()
      signal?.removeEventListener('abort', onAbort)
      if (reason !== undefined) return reject(reason)
      if (code === 0 || (code !== null && run.exitCodes?.includes(code))) return resolve(output)
      const ending = killedBy ?? `exit code ${code}`
      if (isTooMuch(ending, errors)) return reject(tooMuch(name, tools.fileBytes))
      reject(fail('conversionFailed', `${name} failed (${ending}): ${lastWords(errors, run.folder)}`))
    })
  })

/** A document that makes a program hang does so again: it is not retried. */
export const tooSlow = (name: string, timeoutMs: number) =>
  fail('timeout', `${name} took longer than ${Math.round(timeoutMs / 1000)} s`, { retryable: false })

/** How a program ends at the limit of its files, in a sandbox and without, and what those say that go on. */
const isTooMuch = (ending: string, errors: string): boolean =>
  ending === 'SIGXFSZ' || ending === 'exit code 153' || /File too large|No space left on device/.test(errors)

/** Not retried: the same file would fill the disk again. */
const tooMuch = (name: string, fileBytes: number) =>
  fail(
    'conversionFailed',
    `${name} wrote more than there is room for: a file has ${fileBytes} bytes at most (ARCHIVOLT_CONVERSION_FILE_BYTES)`,
  )

const lastWords = (errors: string, folder: string): string =>
  withoutPaths(errors, folder).trim() || 'no reason given'
