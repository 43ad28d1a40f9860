import { isPart, type Part } from './refuse.js'

/** Intervals of calendars, by their names and as one of their units; others have a fixed length. */
const CALENDAR = /^(?:year|quarter|month|week|day|hour|minute|second|1[yqMwdhms])$/

/** Buckets of terms where a client asks for all. */
const ALL_TERMS = 1_000

/** `interval` is `calendar_interval` or `fixed_interval` today. */
const dateHistogram = (body: Part): Part => {
  const { interval, ...rest } = body
  if (typeof interval !== 'string') return body
  return { ...rest, [CALENDAR.test(interval) ? 'calendar_interval' : 'fixed_interval']: interval }
}

/** No size, or a negative one, asked for all terms. */
const terms = (body: Part): Part =>
  typeof body.size === 'number' && body.size <= 0 ? { ...body, size: ALL_TERMS } : body

const FORMS: { readonly [aggregation: string]: (body: Part) => Part } = {
  date_histogram: dateHistogram,
  terms,
}

const aggregation = (asked: unknown): unknown => {
  if (!isPart(asked)) return asked
  return Object.fromEntries(
    Object.entries(asked).map(([type, body]) => {
      if (type === 'aggs' || type === 'aggregations') return [type, aggregations(body)]
      const form = Object.hasOwn(FORMS, type) ? FORMS[type] : undefined
      return [type, form && isPart(body) ? form(body) : body]
    }),
  )
}

const aggregations = (asked: unknown): unknown =>
  isPart(asked)
    ? Object.fromEntries(Object.entries(asked).map(([name, value]) => [name, aggregation(value)]))
    : asked

/**
 * A checked search as the engine takes it today: the published web components, and other clients of the reference
 * platform, write aggregations as earlier engines took them.
 */
export const inTodaysForm = (body: Part): Part =>
  Object.fromEntries(
    Object.entries(body).map(([key, value]) =>
      key === 'aggs' || key === 'aggregations' ? [key, aggregations(value)] : [key, value],
    ),
  )

/** An answer with the number of hits as a number, as clients of the reference platform read it. */
export const withPlainTotal = <Answer extends { hits?: unknown }>(answer: Answer): Answer => {
  const { hits } = answer
  if (!isPart(hits) || !isPart(hits.total)) return answer
  return { ...answer, hits: { ...hits, total: hits.total.value } }
}
