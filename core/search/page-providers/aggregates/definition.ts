import { z } from 'zod'
import { dateMath } from './date-math.js'
import { parseInterval } from './interval.js'
import { isTimeZone } from './time-zone.js'

export const AGGREGATE_TYPES = [
  ...['terms', 'significant_terms', 'range', 'date_range', 'histogram', 'date_histogram'],
  ...['cardinality', 'count', 'sum', 'avg', 'min', 'max', 'missing'],
] as const

const isRegExp = (text: string): boolean => {
  try {
    new RegExp(text)
    return true
  } catch {
    return false
  }
}

const count = z.coerce.number().int().min(0)
const regExp = z.string().refine(isRegExp, 'not a regular expression')

const timeZone = z.string().refine(isTimeZone, 'not a time zone, e.g. Europe/Paris or +02:00')

const properties = z
  .strictObject({
    size: count.min(1).optional(),
    minDocCount: count.optional(),
    order: z
      .string()
      .regex(/^(count|term|key) (asc|desc)$/i, 'must be "count", "term" or "key" with "asc" or "desc"')
      .optional(),
    include: regExp.optional().describe('Regular expression of the terms to count'),
    exclude: regExp.optional(),
    interval: z.union([z.number().positive(), z.string().min(1)]).optional(),
    format: z.string().min(1).optional().describe('Pattern of the dates in keys, e.g. yyyy-MM-dd'),
    timeZone: timeZone.optional(),
    preZone: timeZone.optional(),
    extendedBoundsMin: z.union([z.number(), z.string()]).optional(),
    extendedBoundsMax: z.union([z.number(), z.string()]).optional(),
  })
  .default({})

const rangeKey = z.string().min(1)
const isDateMath = (text: string): boolean => dateMath(text, new Date()) !== undefined
const mathDate = z.string().refine(isDateMath, 'not a date, nor one like now-24H')

/** Counts beside the results of a page provider (nxql-search.md §8.3). */
export const aggregateContent = z
  .strictObject({
    id: z.string().min(1),
    type: z.enum(AGGREGATE_TYPES),
    field: z.string().min(1).describe('The property whose values are counted'),
    selection: z
      .string()
      .optional()
      .describe('The list property of the search document with the chosen keys'),
    properties,
    ranges: z
      .array(z.strictObject({ key: rangeKey, from: z.number().optional(), to: z.number().optional() }))
      .default([]),
    dateRanges: z
      .array(z.strictObject({ key: rangeKey, from: mathDate.optional(), to: mathDate.optional() }))
      .default([]),
  })
  .superRefine((aggregate, context) => {
    const needs = (path: string[], message: string) => context.addIssue({ code: 'custom', path, message })
    const { interval, extendedBoundsMin, extendedBoundsMax } = aggregate.properties
    if ((extendedBoundsMin === undefined) !== (extendedBoundsMax === undefined))
      needs(['properties'], 'extendedBoundsMin and extendedBoundsMax belong together')
    if (aggregate.type === 'histogram' && !(Number(interval) > 0))
      needs(['properties', 'interval'], 'a histogram needs a positive number')
    if (aggregate.type === 'date_histogram' && parseInterval(String(interval)) === undefined)
      needs(['properties', 'interval'], 'a histogram of dates needs one, e.g. month')
    const bounds = [extendedBoundsMin, extendedBoundsMax].filter((bound) => bound !== undefined)
    if (aggregate.type === 'histogram' && bounds.some((bound) => !Number.isFinite(Number(bound))))
      needs(['properties'], 'the bounds of a histogram are numbers')
    if (aggregate.type === 'date_histogram' && !bounds.every((bound) => isDateMath(String(bound))))
      needs(['properties'], 'the bounds of a histogram of dates are dates')
    if (aggregate.type === 'range' && aggregate.ranges.length === 0) needs(['ranges'], 'has none')
    if (aggregate.type === 'date_range' && aggregate.dateRanges.length === 0)
      needs(['dateRanges'], 'has none')
  })

export type AggregateDefinition = z.output<typeof aggregateContent>
