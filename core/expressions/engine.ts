import type { QuickJSHandle } from 'quickjs-emscripten'
import { type ArchivoltError, fail } from '../errors/index.js'
import { type Asks, createAsks } from './asks.js'
import { createCache } from './cache.js'
import { expressionProgram, type Program, sourceOffset, templateProgram } from './compile.js'
import { type Direct, directOf } from './direct.js'
import { failedOperand } from './failed-operand.js'
import { defaultExpressionLimits, overLimit, shown } from './limits.js'
import { type DocumentTable, decodeFromSandbox } from './marshal.js'
import { answer, type Binding, bindingOf } from './names.js'
import type { Inbound, Realm } from './realm.js'
import { createSandbox, GuestError } from './sandbox.js'
import { isTemplate, unescapeEntities } from './template.js'
import { HELPERS } from './translate.js'
import type { ExpressionEngine, ExpressionLimits, ExpressionScope } from './types.js'
import { UNBINDABLE } from './unbindable.js'

const PREFIX = 'expr:'
const MOST_PROGRAMS = 2000

const sourceOf = (text: string): string => unescapeEntities(text.slice(PREFIX.length))

type Bound = Binding & { name: string }

type Active = { scope: ExpressionScope; table: DocumentTable; asks: Asks; hostError?: unknown }

const guestError = (realm: Realm, handle: QuickJSHandle): GuestError => {
  const thrown: unknown = handle.consume((error) => realm.context.dump(error))
  if (typeof thrown !== 'object') return new GuestError({ name: 'Error', message: shown(String(thrown)) })
  // Null is what the engine throws when no memory is left for an error object.
  const unknownName = thrown === null ? '' : 'Error'
  const { name, message, stack } = { name: unknownName, message: '', stack: '', ...thrown }
  const place = /expression:(\d+):(\d+)/.exec(String(stack))
  return new GuestError({
    name: String(name),
    message: shown(String(message)),
    // The code stands on the second line of what was compiled.
    ...(place && { place: { line: Number(place[1]) - 1, column: Number(place[2]) } }),
  })
}

/**
 * Compiles twice: text that closes the brackets of one wrapper to reach the global scope cannot close those
 * of the other, and the first is not run.
 */
const compile = (realm: Realm, program: Program, bound: readonly Bound[]): QuickJSHandle => {
  const head = `(function(${[HELPERS, ...bound.map(({ name }) => name)].join(',')}){'use strict';return`
  const checked = realm.context.evalCode(`${head}[\n${program.code}\n]})`, 'expression', {
    compileOnly: true,
  })
  if (checked.error) throw guestError(realm, checked.error)
  checked.value.dispose()
  const compiled = realm.context.evalCode(`${head}(\n${program.code}\n)})`, 'expression')
  if (compiled.error) throw guestError(realm, compiled.error)
  return compiled.value
}

const readResult = (realm: Realm, handle: QuickJSHandle, table: DocumentTable): unknown => {
  const { context } = realm
  switch (context.typeof(handle)) {
    case 'number':
      return context.getNumber(handle)
    case 'boolean':
      return context.dump(handle)
    case 'string': {
      const text = context.getString(handle)
      return text.startsWith('s') ? text.slice(1) : decodeFromSandbox(text.slice(1), table)
    }
    default:
      return null
  }
}

const runProgram = (realm: Realm, { program, active }: { program: Program; active: Active }): unknown => {
  const { scope, table } = active
  const bound: Bound[] = []
  for (const name of program.names) {
    const binding = UNBINDABLE.has(name) ? undefined : bindingOf(name, scope, table)
    if (binding !== undefined) bound.push({ name, ...binding })
  }
  const key = `${bound.map(({ name }) => name).join(',')}\n${program.code}`
  const compiled = realm.compiled.get(key, () => compile(realm, program, bound))
  const kinds = realm.context.newString(bound.map(({ kind }) => kind).join(''))
  const values = bound.map(({ value }) => realm.toHandle(value))
  const result = realm.context.callFunction(realm.run, realm.context.undefined, [compiled, kinds, ...values])
  for (const handle of [kinds, ...values]) handle.dispose()
  if (result.error) throw guestError(realm, result.error)
  return result.value.consume((handle) => readResult(realm, handle, table))
}

type Outcome = { value: unknown } | { error: unknown }

const attempt = (work: () => unknown): Outcome => {
  try {
    return { value: work() }
  } catch (error) {
    return { error }
  }
}

const positionIn = (source: string, offset: number): { line: number; column: number } => {
  const lines = source.slice(0, offset).split('\n')
  return { line: lines.length, column: lines.at(-1)!.length + 1 }
}

/**
 * The chain designer's view of a failure: expression, position, what stands there, reason, and the value
 * that it could not work with.
 */
const explain = (
  error: GuestError,
  program: Program,
  shownValue: (operand: string) => string | undefined,
): ArchivoltError => {
  const offset = error.place === undefined ? 0 : sourceOffset(program, error.place)
  const position = positionIn(program.source, offset)
  const near = program.source.slice(offset, offset + 30)
  const operand = error.guestName === 'TypeError' ? failedOperand(program.source, offset) : undefined
  const value = operand === undefined ? undefined : shownValue(operand)
  const because = value === undefined ? '' : `; ${shown(operand!)} is ${value}`
  const message = `${error.guestName}: ${error.message}${because}`
  return fail(
    'badRequest',
    `Expression ${JSON.stringify(shown(program.source))} fails at line ${position.line}, column ${position.column} (${JSON.stringify(near)}): ${message}`,
    { details: [{ ...position, message }], cause: error },
  )
}

/**
 * The one sandbox for what callers write; a process needs one. Limits not given are
 * `defaultExpressionLimits`. Errors: `badRequest` for what the expression does wrong, limits included;
 * errors of a host document pass through; `unavailable` when both modules were spoiled within one turn.
 *
 * Isolation: all evaluations share one warm context in which nothing that outlives an evaluation can be
 * changed (`prelude/lockdown.ts`). Warm figures on 2 shared cores, Node 20: a variable 16 µs, a document
 * property (one host call) 22 µs, a template of two values 20 µs, each of which takes 2 µs as a parameter, which is read
 * without the sandbox where it names texts alone (`direct.ts`); an expression with a function of its own,
 * a loop or a regular expression runs under the watchdog and takes 115 µs (`quick.ts` decides).
 */
export const createExpressionEngine = async (
  given: Partial<ExpressionLimits> = {},
): Promise<ExpressionEngine> => {
  const limits = { ...defaultExpressionLimits, ...given }
  const programs = createCache<Program>({ size: MOST_PROGRAMS })
  const directs = createCache<Direct | undefined>({ size: MOST_PROGRAMS })
  let active: Active | undefined
  let isDisposed = false

  const call = (request: Parameters<typeof answer>[0]): Inbound => {
    if (active === undefined) throw fail('internal', 'The sandbox asked the host outside of an evaluation')
    try {
      return request.kind === 'ask' ? active.asks.answer(request.name, active.table) : answer(request, active)
    } catch (error) {
      active.hostError = error
      // The sandbox learns nothing about the host's error; it is thrown to the caller below.
      throw new Error('the host cannot answer')
    }
  }

  const sandbox = await createSandbox({ limits, call })

  /** One evaluation of a program; what it asks of the host is answered from what was asked before. */
  const evaluateOnce = (program: Program, own: Active): unknown => {
    if (isDisposed) throw fail('internal', 'The expression engine was disposed of')
    if (active !== undefined) throw fail('internal', 'An expression cannot evaluate another one')
    active = own
    try {
      return sandbox.execute((realm) => runProgram(realm, { program, active: own }), program)
    } catch (error) {
      throw error instanceof GuestError ? (own.hostError ?? error) : error
    } finally {
      active = undefined
    }
  }

  const activeOf = (scope: ExpressionScope): Active => ({
    scope,
    table: { documents: [] },
    asks: createAsks(),
  })

  const explained = (error: unknown, program: Program, own: Active): unknown => {
    if (!(error instanceof GuestError)) return error
    return explain(error, program, (operand) => {
      try {
        const again = { ...own, asks: own.asks.again() }
        return shown(JSON.stringify(evaluateOnce(expressionProgram(operand), again)) ?? 'null')
      } catch {
        // It has no value of its own, e.g. because it names what a function declares.
        return undefined
      }
    })
  }

  const run = (program: Program, scope: ExpressionScope): unknown => {
    const own = activeOf(scope)
    try {
      return evaluateOnce(program, own)
    } catch (error) {
      throw explained(error, program, own)
    }
  }

  /** Evaluates again from the beginning after each question that the host has answered meanwhile. */
  const runAsking = async (program: Program, scope: ExpressionScope): Promise<unknown> => {
    const own = activeOf(scope)
    for (;;) {
      const loading = sandbox.ready()
      if (loading !== undefined) await loading
      const outcome = attempt(() => evaluateOnce(program, own))
      if (await own.asks.answerPending(scope, own.table)) {
        own.hostError = undefined
        own.asks.rewind()
      } else if ('error' in outcome) throw explained(outcome.error, program, own)
      else return outcome.value
    }
  }

  const programOf = (source: string, kind: 'expression' | 'template'): Program => {
    if (source.length > limits.sourceLength) throw overLimit('sourceLength', { limits, source })
    const make = kind === 'template' ? templateProgram : expressionProgram
    return programs.get(`${kind} ${source}`, () => make(source))
  }

  /** The text of a parameter that only names texts; undefined when the sandbox is to evaluate it. */
  const readDirectly = (text: string, scope: ExpressionScope): string | undefined => {
    if (isDisposed || text.length > limits.sourceLength) return undefined
    return directs.get(text, () => directOf(sourceOf(text), { most: limits.valueLength }))?.(scope)
  }

  const evaluate: ExpressionEngine['evaluate'] = (source, scope) =>
    run(programOf(source, 'expression'), scope)
  // A template's value is a string by construction.
  const interpolate: ExpressionEngine['interpolate'] = (text, scope) =>
    String(run(programOf(text, 'template'), scope))

  return {
    evaluate,
    interpolate,
    async evaluateValue(text, scope) {
      if (!text.startsWith(PREFIX)) return text
      const read = readDirectly(text, scope)
      if (read !== undefined) return read
      const source = sourceOf(text)
      return runAsking(programOf(source, isTemplate(source) ? 'template' : 'expression'), scope)
    },
    dispose() {
      isDisposed = true
      sandbox.dispose()
    },
  }
}
