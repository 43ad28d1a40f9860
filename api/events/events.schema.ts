import { z } from 'zod'
import { commaList, count } from '../parse/index.js'

/** Seconds after which clients connect again. */
export const LONGEST = 3600

/** What a stream of events is narrowed by. */
export const eventsQuery = z.object({
  events: commaList.describe('Names of events, separated by commas; none: all'),
  types: commaList.describe('Types of which the document must be one; none: any'),
  path: z
    .string()
    .startsWith('/', { error: 'a path as /default-domain is expected' })
    .optional()
    .describe('The document must be there or below'),
  seconds: count
    .refine((seconds) => seconds === undefined || seconds <= LONGEST, {
      error: `at most ${LONGEST} seconds are possible`,
    })
    .describe(`How long it lasts; default ${LONGEST}. 0: it ends with what is there`),
})

const PLACE = /^(\d{1,15})-(\d{1,15})$/

/** The place of an event, as its id in the stream says. */
export const lastEventId = z
  .string()
  .regex(PLACE, { error: 'the id of an event of this stream is expected' })
  .transform((text) => {
    const [, transaction, id] = PLACE.exec(text) ?? []
    return { transaction: Number(transaction), id: Number(id) }
  })
  .optional()

export const resumption = z.object({
  'last-event-id': lastEventId.describe('The id of the last event that was received: the next ones follow'),
})
