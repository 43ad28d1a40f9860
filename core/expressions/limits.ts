import { type ArchivoltError, fail } from '../errors/index.js'
import type { ExpressionLimits } from './types.js'

export const defaultExpressionLimits: ExpressionLimits = {
  // Nothing else happens in the process meanwhile.
  timeMs: 500,
  memoryBytes: 64 * 1024 * 1024,
  stackBytes: 256 * 1024,
  sourceLength: 64 * 1024,
  valueLength: 8 * 1024 * 1024,
}

/** The settings that change the limits, named by every message about one. */
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

/** The error of an expression that went over a limit. */
export const overLimit = (
  limit: keyof ExpressionLimits,
  { limits, source }: { limits: ExpressionLimits; source: string },
): ArchivoltError =>
  fail(
    'badRequest',
    `Expression ${JSON.stringify(shown(source))} ${SAID[limit]}: ${limits[limit]}, set by ${expressionLimitSettings[limit]}`,
  )
