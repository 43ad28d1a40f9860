import { createHash } from 'node:crypto'
import { fail } from '../../../errors/index.js'
import { HELPERS } from '../language/translate.js'
import type { ExpressionLimits } from '../types.js'
import type { Program } from './compile.js'
import { answerRequest, bind, type Evaluation, readText } from './evaluation.js'
import { type Inbound, ValueTooLarge } from './realm.js'
import { lineOfCode, wrap } from './run-here.js'
import { GuestError, LimitMet } from './sandbox.js'

/** A program as threads compile it: `core/platform/sandbox/scripts/protocol.ts`. */
export type ThreadProgram = {
  key: string
  title: string
  code: string
  check: string
  names: readonly string[]
  namespaces: { readonly [name: string]: never }
}

export type ThreadOutcome = {
  /** The value as `readText` reads it. */
  text?: string
  /** `limit` is one of `ExpressionLimits`, or says what ended the thread. */
  failure?: { name: string; message: string; line?: number; column?: number; limit?: string }
}

/** Threads in which expressions delay nobody else. */
export type ExpressionThreads = {
  /**
   * @param owner the user for whom it is evaluated: nobody takes all threads while others wait.
   * @param answer JSON, or nothing when the host cannot answer; with `ends` the expression is not asked any more.
   * @throws unavailable when no thread is free in time.
   */
  evaluate(work: {
    program: ThreadProgram
    args: string
    owner: string
    answer(kind: string, payload: string): Promise<{ json: string; ends?: boolean }>
  }): Promise<ThreadOutcome>
  close(): void
}

/** Each distinct read and each question counts as one; the thread that serves everybody answers them. */
const MAX_REQUESTS = 20_000

const isLimit = (limits: ExpressionLimits, name: string): name is keyof ExpressionLimits =>
  Object.hasOwn(limits, name)

const jsonOf = (value: Inbound, { valueLength }: ExpressionLimits): string => {
  const json = typeof value === 'object' && value !== null ? value.json : JSON.stringify(value)
  if (json.length > valueLength) throw new ValueTooLarge('the value is too large')
  return json
}

const threadProgram = (program: Program, names: readonly string[]): ThreadProgram => {
  const { code, check } = wrap(program, names)
  const key = createHash('sha256').update(code).digest('base64')
  return { key, title: 'Expression', code, check, names: [HELPERS, ...names], namespaces: {} }
}

/**
 * Evaluates a program in a thread, which waits for answers: unlike here, a question does not start the
 * evaluation again.
 *
 * @throws LimitMet, GuestError, and what the host throws.
 */
export const runInThread = async (
  program: Program,
  evaluation: Evaluation,
  { threads, limits }: { threads: ExpressionThreads; limits: ExpressionLimits },
): Promise<unknown> => {
  const { scope, table, asks } = evaluation
  const { names, kinds, values } = bind(program, evaluation)
  const args = JSON.stringify({ kinds, values })
  if (args.length > limits.valueLength) throw new LimitMet('valueLength')
  let requests = 0
  let failed: { error: unknown } | undefined
  const answer = async (kind: string, payload: string): Promise<{ json: string; ends?: boolean }> => {
    try {
      if (++requests > MAX_REQUESTS)
        throw fail('badRequest', `An expression asks the server more than ${MAX_REQUESTS} times`)
      const [index, name] = JSON.parse(payload) as [number, string]
      const request = { kind, index, name }
      if (kind === 'ask') await asks.find(name, { scope, table })
      return { json: jsonOf(answerRequest(request, evaluation), limits) }
    } catch (error) {
      evaluation.hostError ??= error
      if (error instanceof ValueTooLarge) failed = { error: new LimitMet('valueLength') }
      else if (requests > MAX_REQUESTS) failed = { error }
      return { json: '', ends: failed !== undefined }
    }
  }
  const { text, failure } = await threads.evaluate({
    program: threadProgram(program, names),
    args,
    owner: scope.principal.name,
    answer,
  })
  if (failed) throw failed.error
  if (failure === undefined) return readText(text!, table)
  const { name, message, line, column = 1, limit } = failure
  if (limit !== undefined && isLimit(limits, limit)) throw new LimitMet(limit)
  if (limit !== undefined)
    throw fail('unavailable', `The thread of an expression was lost: ${message || limit}`)
  const place = line === undefined ? undefined : { line: lineOfCode(line), column }
  throw new GuestError({ name, message, ...(place && { place }) })
}
