import type { PropertyValue } from '../../../model/properties/index.js'
import type { ChainStep } from './chain.js'

/** A text that is evaluated, and the key under which it stands in a map. */
export type RawExpression = { key?: string; text: string }

const NONE: readonly RawExpression[] = []

/** What of a raw parameter is evaluated when its step runs: the text itself, or texts one level inside a map. */
export const expressionsIn = (raw: PropertyValue): readonly RawExpression[] => {
  if (typeof raw === 'string') return isExpression(raw) ? [{ text: raw }] : NONE
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) return NONE
  return Object.entries(raw).flatMap(([key, text]) =>
    typeof text === 'string' && isExpression(text) ? [{ key, text }] : [],
  )
}

/** A raw parameter under its own name or an alias. */
export const rawParameter = (step: ChainStep, ...names: readonly string[]): PropertyValue | undefined =>
  names.map((name) => step.params[name]).find((value) => value !== undefined)

export const isExpression = (value: unknown): boolean =>
  typeof value === 'string' && value.startsWith('expr:')
