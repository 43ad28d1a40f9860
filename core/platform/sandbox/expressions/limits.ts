import { type ArchivoltError, fail } from '../../errors/index.js'
import type { Program } from './evaluation/compile.js'
import type { ExpressionLimits } from './types.js'

export const defaultExpressionLimits: ExpressionLimits = {
  timeMs: 500,
  memoryBytes: 64 * 1024 * 1024,
  stackBytes: 256 * 1024,
  sourceLength: 64 * 1024,
  valueLength: 8 * 1024 * 1024,
}

/**
 * The share of an expression in the thread that serves everybody, where there are others. Its memory is all that
 * it may have: an expression can catch that it lacks some, and would go on in another way than with enough of it.
 */
export const limitsHere = (limits: ExpressionLimits): ExpressionLimits => ({
  ...limits,
  timeMs: Math.min(limits.timeMs, 5),
  valueLength: Math.min(limits.valueLength, 256 * 1024),
})

/** Characters that sequences of linear work may go over without a watchdog: about 5 ms. */
const QUICK_WORK = 1_000_000
const allowances = new WeakMap<Program, number | undefined>()

const count = (code: string, character: string): number => code.split(character).length

/** Characters of the texts that are written in a program. */
const written = (code: string): number =>
  (code.match(/"(?:[^"\\]|\\.)*"?|'(?:[^'\\]|\\.)*'?/g) ?? []).reduce((sum, text) => sum + text.length - 2, 0)

/**
 * It can join all characters as often as it has a plus or a comma, and each of its calls may go over the
 * result. A function for each element can do so for each character: they and the elements that it makes are joined once
 * more.
 */
const allowanceOf = (code: string): number | undefined => {
  const functions = count(code, '=>') - 1
  const calls = count(code, '(')
  const joins = count(code, '+') + count(code, ',')
  if (functions === 0) return Math.floor(QUICK_WORK / (calls * joins))
  // Two of them, one inside the other, or after it, could make four times as many digits.
  if (functions > 1) return undefined
  // The commas of helpers are between what they compare.
  const growing = joins - (code.match(/\.(?:equal|matches|contains)\(/g) ?? []).length
  const most = Math.floor(Math.sqrt(QUICK_WORK / (calls * growing)) / growing) - written(code)
  return most > 0 ? most : undefined
}

/** How many characters a quick program may receive and still end soon; undefined when it needs the watchdog. */
export const quickAllowance = (program: Program): number | undefined => {
  if (!allowances.has(program)) allowances.set(program, allowanceOf(program.code))
  return allowances.get(program)
}

/** The settings that change the limits; every message about a limit names one. */
export const expressionLimitSettings: Readonly<Record<keyof ExpressionLimits, string>> = {
  timeMs: 'archivolt.expressions.timeMs',
  memoryBytes: 'archivolt.expressions.memoryBytes',
  stackBytes: 'archivolt.expressions.stackBytes',
  sourceLength: 'archivolt.expressions.sourceLength',
  valueLength: 'archivolt.expressions.valueLength',
}

const SAID: Readonly<Record<keyof ExpressionLimits, string>> = {
  timeMs: 'runs longer than its time limit (ms)',
  memoryBytes: 'needs more memory than its limit (bytes)',
  stackBytes: 'nests calls deeper than its stack limit (bytes)',
  sourceLength: 'is longer than the limit (characters)',
  valueLength: 'handles a value larger than the limit (characters)',
}

/** The start of a text, for a message. */
export const shown = (source: string): string => (source.length > 200 ? `${source.slice(0, 200)}…` : source)

class OverLimit extends Error {
  override readonly name = 'OverLimit'
}

/** The error of an expression that exceeded a limit. */
export const overLimit = (
  limit: keyof ExpressionLimits,
  { limits, source }: { limits: ExpressionLimits; source: string },
): ArchivoltError =>
  fail(
    'badRequest',
    `Expression ${JSON.stringify(shown(source))} ${SAID[limit]}: ${limits[limit]}, set by ${expressionLimitSettings[limit]}`,
    { cause: new OverLimit(limit) },
  )

/** Whether an error is that of an expression that exceeded a limit. */
export const isOverLimit = (error: unknown): boolean =>
  error instanceof Error && (error instanceof OverLimit || isOverLimit(error.cause))
