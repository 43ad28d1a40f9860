import { LRUCache } from 'lru-cache'
import { fail } from '../../../errors/index.js'
import { explain, explainHost } from '../language/explain.js'
import { isTemplate, PREFIX, sourceOf } from '../language/template.js'
import { defaultExpressionLimits, limitsHere, overLimit, quickAllowance, shown } from '../limits.js'
import type { ExpressionEngine, ExpressionLimits, ExpressionScope } from '../types.js'
import { expressionProgram, type Program, templateProgram } from './compile.js'
import { type Direct, directOf } from './direct.js'
import { answerRequest, type Evaluation, openEvaluation, rewind } from './evaluation.js'
import type { HostRequest, Inbound } from './realm.js'
import { runInProcess } from './run-here.js'
import { type ExpressionThreads, runInThread } from './run-in-thread.js'
import { createSandbox, GuestError, LimitMet } from './sandbox.js'

const MAX_PROGRAMS = 2000

/** How long an expression that asked too much of this thread is kept away from it. */
const AWAY_MS = 60_000

/**
 * The one sandbox for what callers write; a process needs one. Limits not given are `defaultExpressionLimits`.
 * Errors: `badRequest` for what the expression does wrong, limits included; errors of the host keep their code, and what
 * callers may see of them names the expression and the position;
 * `unavailable` when no thread is free in time.
 *
 * Isolation: all evaluations share one warm context in which nothing that outlives an evaluation can be changed
 * (`prelude/lockdown.ts`). Warm figures on 2 shared cores, Node 20: a variable 16 µs, a document property (one host
 * call) 22 µs, a template of two values 20 µs, each of which takes 2 µs as a parameter, which is read without the
 * sandbox where it names texts alone (`direct.ts`); one function that is called for each element of a short list
 * 30 µs; any other function, a loop or a regular expression runs under the watchdog and takes 115 µs (`quick.ts` decides).
 *
 * @param openThreads where expressions go that take longer than a few milliseconds or are given large values. They
 *   begin again there (`evaluation.ts` says why they may). Without it they run here, under the limits themselves.
 */
export const createExpressionEngine = async (
  given: Partial<ExpressionLimits> = {},
  { openThreads }: { openThreads?: (limits: ExpressionLimits) => ExpressionThreads } = {},
): Promise<ExpressionEngine> => {
  const limits = { ...defaultExpressionLimits, ...given }
  const threads = openThreads?.(limits)
  const programs = new LRUCache<string, Program>({ max: MAX_PROGRAMS })
  const directs = new LRUCache<string, { read: Direct | undefined }>({ max: MAX_PROGRAMS })
  const awayUntil = new WeakMap<Program, number>()
  let active: Evaluation | undefined
  let isDisposed = false

  const call = (request: HostRequest): Inbound => {
    if (active === undefined) throw fail('internal', 'The sandbox asked the host outside of an evaluation')
    try {
      return answerRequest(request, active)
    } catch (error) {
      active.hostError = error
      // The sandbox learns nothing about the host's error; it is thrown to the caller below.
      throw new Error('the host cannot answer')
    }
  }

  const sandbox = await createSandbox({ limits: threads ? limitsHere(limits) : limits, call })

  const evaluateHere = (program: Program, own: Evaluation): unknown => {
    if (active !== undefined) throw fail('internal', 'An expression cannot evaluate another one')
    active = own
    try {
      const quick = program.quick ? quickAllowance(program) : undefined
      try {
        return sandbox.execute((realm) => runInProcess(realm, program, own), { quick })
      } catch (error) {
        const isTooMuchForQuick =
          quick !== undefined && error instanceof LimitMet && error.limit === 'valueLength'
        if (!isTooMuchForQuick) throw error
        rewind(own)
        return sandbox.execute((realm) => runInProcess(realm, program, own), { quick: undefined })
      }
    } finally {
      active = undefined
    }
  }

  const isAway = (program: Program): boolean => {
    const until = awayUntil.get(program)
    return until !== undefined && performance.now() < until
  }

  /** Evaluates once, here or in a thread. @throws GuestError, LimitMet, and what the host fails with. */
  const evaluateOnce = async (program: Program, own: Evaluation): Promise<unknown> => {
    if (isDisposed) throw fail('internal', 'The expression engine was disposed of')
    if (!isAway(program)) {
      const loading = sandbox.ready()
      if (loading !== undefined) await loading
      try {
        return evaluateHere(program, own)
      } catch (error) {
        const goesOn = threads !== undefined && error instanceof LimitMet && error.limit !== 'stackBytes'
        if (!goesOn) throw error
        awayUntil.set(program, performance.now() + AWAY_MS)
        rewind(own)
      }
    }
    return runInThread(program, own, { threads: threads!, limits })
  }

  const shownValue = async (operand: string, own: Evaluation): Promise<string | undefined> => {
    try {
      const value = await evaluateOnce(expressionProgram(operand), { ...own, asks: own.asks.again() })
      return shown(JSON.stringify(value) ?? 'null')
    } catch {
      // It has no value of its own, e.g. because it names what a function declares.
      return undefined
    }
  }

  const failure = async (error: unknown, program: Program, own: Evaluation): Promise<unknown> => {
    if (error instanceof LimitMet) return overLimit(error.limit, { limits, source: program.source })
    if (!(error instanceof GuestError)) return error
    if (own.hostError !== undefined) return explainHost(own.hostError, error, program)
    return explain(error, { program, scope: own.scope, shownValue: (operand) => shownValue(operand, own) })
  }

  /** Evaluates again from the beginning after each question that the host has answered meanwhile. */
  const run = async (program: Program, scope: ExpressionScope): Promise<unknown> => {
    const own = openEvaluation(scope)
    for (;;) {
      let outcome: { value: unknown } | { error: unknown }
      try {
        outcome = { value: await evaluateOnce(program, own) }
      } catch (error) {
        outcome = { error }
      }
      if (own.asks.hasPending()) {
        await own.asks.answerPending(own)
        rewind(own)
      } else if ('error' in outcome) throw await failure(outcome.error, program, own)
      else return outcome.value
    }
  }

  const programOf = (source: string, kind: 'expression' | 'template'): Program => {
    if (source.length > limits.sourceLength) throw overLimit('sourceLength', { limits, source })
    const key = `${kind} ${source}`
    const known = programs.get(key)
    if (known) return known
    const program = kind === 'template' ? templateProgram(source) : expressionProgram(source)
    programs.set(key, program)
    return program
  }

  /** The text of a parameter that only names texts; undefined when the sandbox is to evaluate it. */
  const readDirectly = (text: string, scope: ExpressionScope): string | undefined => {
    if (isDisposed || text.length > limits.sourceLength) return undefined
    const known = directs.get(text)
    if (known) return known.read?.(scope)
    const read = directOf(sourceOf(text), { most: limits.valueLength })
    directs.set(text, { read })
    return read?.(scope)
  }

  return {
    evaluate: async (source, scope) => run(programOf(source, 'expression'), scope),
    async evaluateValue(text, scope) {
      if (!text.startsWith(PREFIX)) return text
      const read = readDirectly(text, scope)
      if (read !== undefined) return read
      const source = sourceOf(text)
      return run(programOf(source, isTemplate(source) ? 'template' : 'expression'), scope)
    },
    dispose() {
      isDisposed = true
      sandbox.dispose()
      threads?.close()
    },
  }
}
