import { AsyncResource } from 'node:async_hooks'
import { type ArchivoltError, fail, isArchivoltError } from '../../errors/index.js'
import { throwIfStopped } from '../../limits/index.js'
import { failedOperand, shown, sourceOffset } from '../expressions/index.js'
import { defaultScriptLimits, isScriptLimit, overLimit, type ScriptLimits } from './limits.js'
import { PRELUDE } from './prelude/prelude.js'
import { type ScriptPosition, scriptPlace } from './program.js'
import type { CallMessage, DoneMessage, Failure, Program } from './protocol.js'
import type { ScriptThread } from './thread.js'
import { createScriptThreads } from './threads.js'
import { unknownOperation } from './unknown-operation.js'

/** A document's changed properties, as the sandbox encodes both. */
export type ScriptChange = readonly [document: unknown, properties: { readonly [xpath: string]: unknown }]

export type ScriptCall = { question: string; args: readonly unknown[]; changes: readonly ScriptChange[] }

/** All values are as the sandbox encodes them: JSON, with `TAG` for what JSON has no form for. */
export type ScriptAnswer =
  | {
      value: unknown
      /** Indexes of documents that have changed since the script has read them. */
      stale?: readonly number[]
      /** What documents are like, by index: what the question `facts` would answer. */
      facts?: readonly unknown[]
    }
  /** A final error fails the script also when it catches it; with `ends` the script stops at once. */
  | { error: unknown; isFinal: boolean; ends?: boolean }

export type ScriptRun = {
  program: Program
  /** `names`, `input`, `params`, `now`, and `variables` of the context that have names of their own. */
  given: object
  answer(call: ScriptCall): Promise<ScriptAnswer>
  signal: AbortSignal
}

export type ScriptResult = { value: unknown; changes: readonly ScriptChange[] }

/** The scripts of one transaction: one thread runs them, one inside the other. */
export type ScriptRunner = {
  /**
   * @throws operationFailed for errors of the script, limits included, with the position in its text; badRequest
   * for a call of an unknown operation; what a call of it failed with; what `signal` is aborted with.
   */
  run(run: ScriptRun): Promise<ScriptResult>
}

export type ScriptEngine = {
  /** @param owner the user for whom the scripts run: nobody takes all threads while others wait. */
  openRunner(owner: string): ScriptRunner
  limits: ScriptLimits
  close(): void
}

type Call = { args: readonly unknown[]; changes?: readonly ScriptChange[] }

/** The state of a runner while its outermost script runs. */
type Active = {
  thread: ScriptThread
  stack: ScriptRun[]
  calls: number
  errors: unknown[]
  final?: { error: unknown }
}

const messageOf = (error: unknown): { name: string; message: string; status: number } =>
  isArchivoltError(error)
    ? { name: error.code, message: error.message, status: error.status }
    : // What went wrong inside is for the log, not for a script.
      { name: 'internal', message: 'the call has failed', status: 500 }

const positionOf = ({ line, column = 1 }: Failure, program: Program): ScriptPosition | undefined =>
  line === undefined ? undefined : scriptPlace(program, { line, column })

const placeIn = (position: ScriptPosition | undefined): string =>
  position ? ` at line ${position.line}, column ${position.column}` : ''

const isCausedBy = (error: unknown, cause: unknown): boolean =>
  error === cause || (error instanceof Error && error.cause !== undefined && isCausedBy(error.cause, cause))

/** The failure of a call, under the script and the position of the call. One hidden from callers stays as it is. */
const atCall = (error: unknown, program: Program, stack: string | undefined): unknown => {
  const place = /script:(\d+):(\d+)/.exec(stack ?? '')
  if (!isArchivoltError(error) || !place) return error
  const { code, message, retryable } = error
  const { line, column } = scriptPlace(program, { line: Number(place[1]), column: Number(place[2]) })
  return fail(code, `${program.title} fails at line ${line}, column ${column}: ${message}`, {
    details: [{ line, column, message }],
    cause: error,
    retryable,
  })
}

/** The missing value in statements, in their own words: `; a.b is undefined` where `a.b.c` is read. */
const missingValue = ({ message, line, column = 1 }: Failure, { code, translation }: Program): string => {
  const value = /^cannot (?:read|set) property .* of (undefined|null)$/.exec(message)?.[1]
  if (value === undefined || line === undefined || !translation) return ''
  const { source, places } = translation
  const operand = failedOperand(source, sourceOffset({ code, places }, { line, column }))
  return operand === undefined ? '' : `; ${shown(operand)} is ${value}`
}

/** The bracket that follows statements where they are compiled is none of theirs. */
const messageIn = ({ name, message }: Failure, { translation }: Program): string => {
  const isCutOff =
    name === 'SyntaxError' &&
    message === "unexpected token in expression: ')'" &&
    translation?.source.includes(')') === false
  return isCutOff ? 'unexpected end of the expression' : message
}

const explain = (failure: Failure, program: Program, limits: ScriptLimits): ArchivoltError => {
  const { title } = program
  const { limit } = failure
  if (limit !== undefined && isScriptLimit(limit))
    return fail('operationFailed', `${title} ${overLimit(limit, limits)}`)
  if (limit !== undefined) return fail('unavailable', `${title} was stopped: ${failure.message || limit}`)
  const position = positionOf(failure, program)
  const unknown = unknownOperation(failure, program, placeIn(position))
  if (unknown) return unknown
  const message = `${failure.name}: ${messageIn(failure, program)}${missingValue(failure, program)}`
  return fail('operationFailed', `${title} fails${placeIn(position)}: ${message}`, {
    details: [{ ...position, message }],
  })
}

const answerCall = async (
  active: Active,
  { question, payload }: CallMessage,
  limits: ScriptLimits,
): Promise<{ json: string; ends?: boolean }> => {
  const refuse = (error: unknown, { isFinal, ends = false }: { isFinal: boolean; ends?: boolean }) => {
    // A script that this one has called may have failed first: then this error has all positions on the way.
    if (isFinal && (!active.final || isCausedBy(error, active.final.error))) active.final = { error }
    const id = active.errors.push(error) - 1
    return { json: JSON.stringify({ e: { ...messageOf(error), id } }), ends }
  }
  const refuseByLimit = (limit: 'calls' | 'valueLength', { program }: ScriptRun) =>
    refuse(fail('operationFailed', `${program.title} ${overLimit(limit, limits)}`), {
      isFinal: true,
      ends: true,
    })
  const run = active.stack.at(-1)
  if (!run) return refuse(fail('internal', 'No script runs'), { isFinal: true, ends: true })
  if (++active.calls > limits.calls) return refuseByLimit('calls', run)
  try {
    const { args, changes = [] } = JSON.parse(payload) as Call
    const answer = await run.answer({ question, args, changes })
    if ('error' in answer) return refuse(answer.error, answer)
    const json = JSON.stringify({
      v: answer.value ?? null,
      ...(answer.stale?.length && { s: answer.stale }),
      ...(answer.facts?.length && { f: answer.facts }),
    })
    return json.length > limits.valueLength ? refuseByLimit('valueLength', run) : { json }
  } catch (error) {
    return refuse(error, { isFinal: true })
  }
}

const readDone = (active: Active, done: DoneMessage, run: ScriptRun, limits: ScriptLimits): ScriptResult => {
  throwIfStopped(run.signal)
  if (done.failure) throw active.final ? active.final.error : explain(done.failure, run.program, limits)
  const result = JSON.parse(done.json ?? '{}') as ScriptResult & { hostError?: number; stack?: string }
  const uncaught = result.hostError === undefined ? undefined : active.errors[result.hostError]
  const placed = uncaught === undefined ? undefined : atCall(uncaught, run.program, result.stack)
  if (active.final) {
    // Where the script has caught it and continued, its position is unknown.
    if (uncaught === active.final.error) active.final = { error: placed }
    throw active.final.error
  }
  if (placed !== undefined) throw placed
  return { value: result.value ?? null, changes: result.changes ?? [] }
}

/**
 * Runs scripts, each transaction's in a thread of its own while it runs, so that a script's computation
 * does not block this thread. Threads start when they are needed (about 60 ms) and stay. A call from a script
 * to this thread and back takes about 100 µs, most of it to wake the other thread.
 */
export const createScriptEngine = ({
  limits: given = {},
  env = {},
  threads: most = 4,
}: {
  limits?: Partial<ScriptLimits>
  env?: Readonly<Record<string, string>>
  threads?: number
} = {}): ScriptEngine => {
  const limits = { ...defaultScriptLimits, ...given }
  const threads = createScriptThreads({
    kind: { prelude: PRELUDE, limits, env },
    most,
    exhausted: 'All threads for scripts are in use; try again later, or raise ARCHIVOLT_SCRIPT_THREADS',
  })

  const openRunner = (owner: string): ScriptRunner => {
    let active: Active | undefined

    const inside = async (current: Active, run: ScriptRun): Promise<ScriptResult> => {
      if (current.stack.length >= limits.depth)
        throw fail('operationFailed', `${run.program.title} ${overLimit('depth', limits)}`)
      const args = JSON.stringify(run.given)
      if (args.length > limits.valueLength)
        throw fail('operationFailed', `${run.program.title} ${overLimit('valueLength', limits)}`)
      current.stack.push(run)
      const onAbort = (): void => current.thread.cancel()
      run.signal.addEventListener('abort', onAbort)
      try {
        throwIfStopped(run.signal)
        const done = await current.thread.run(run.program, args)
        return readDone(current, done, run, limits)
      } finally {
        run.signal.removeEventListener('abort', onAbort)
        current.stack.pop()
      }
    }

    return {
      async run(run) {
        if (active) return inside(active, run)
        const thread = await threads.take(owner, run.signal).catch((error: unknown) => {
          throwIfStopped(run.signal)
          throw error
        })
        const current: Active = { thread, stack: [], calls: 0, errors: [] }
        active = current
        // The port's own scope is that of whoever has started the thread.
        thread.answer = AsyncResource.bind((call) => answerCall(current, call, limits))
        try {
          return await inside(current, run)
        } finally {
          active = undefined
          threads.giveBack(thread)
        }
      },
    }
  }
  return { openRunner, limits, close: threads.close }
}
