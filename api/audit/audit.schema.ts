import { z } from 'zod'
import { normalizeDate } from '../../core/model/properties/index.js'
import { component, pageOf } from '../openapi/index.js'
import { word } from '../parse/index.js'
import { pagingQuery, sortQuery } from '../rest/index.js'

/** Each occurrence of a parameter is a value: names may have commas. Blank ones are left out. */
const values = z.preprocess(
  (given) => (Array.isArray(given) ? given.filter((value) => String(value).trim() !== '') : []),
  z.array(z.string()),
)

/** As W3C has it, from `2016` to `2016-01-05T10:00:00.123Z`; a day begins at midnight in UTC. */
const moment = z
  .preprocess(
    (given) => (typeof given === 'string' && given.trim() !== '' ? given.trim() : undefined),
    z
      .string()
      .refine((text) => normalizeDate(text) !== undefined, {
        error: ({ input }) => `'${input}' is not a date`,
      })
      .transform((text) => normalizeDate(text)!)
      .optional(),
  )
  .optional()

/** What entries are narrowed by (rest-documents.md §7). */
export const entryFilters = z.object({
  eventId: values.describe('Any of these events'),
  category: values.describe('Any of these categories'),
  principalName: values.describe('Any of these users'),
  startEventDate: moment.describe('From then on'),
  endEventDate: moment.describe('Until then'),
})

export const historyQuery = entryFilters.extend({ ...pagingQuery.shape, ...sortQuery.shape })

export const auditQuery = historyQuery.extend({
  query: word.describe('NXQL on LogEntry, or the older notation, in the place of the filters'),
  docUUID: values.describe('Of any of these documents'),
  docPath: word.describe('Of what is at this path, or below it'),
})

const nullable = z.string().nullable()

export const logEntry = component(
  'logEntry',
  z.object({
    'entity-type': z.literal('logEntry'),
    id: z.int(),
    category: nullable,
    principalName: nullable,
    comment: nullable,
    docLifeCycle: nullable,
    docPath: nullable,
    docType: nullable,
    docUUID: nullable,
    eventId: z.string(),
    repositoryId: nullable,
    eventDate: z.string(),
    logDate: z.string(),
    extended: z.record(z.string(), z.unknown()),
  }),
  'What has happened',
)

export const logEntries = pageOf('logEntries', logEntry, 'entries of the audit')
