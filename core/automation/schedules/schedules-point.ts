import { z } from 'zod'
import { IDENTITY_EVENTS } from '../../access/identity/index.js'
import {
  type Contributions,
  defineExtensionPoint,
  defineRegistry,
  type Finding,
} from '../../platform/contributions/index.js'
import { isArchivoltError } from '../../platform/errors/index.js'
import { REPOSITORY_EVENTS } from '../../platform/events/index.js'
import { DEFAULT_REPOSITORY } from '../../platform/settings/index.js'
import type { Calendar } from './calendar.js'
import { parseCron } from './cron.js'
import { scheduleXml } from './schedule-xml.js'
import { zoneOf } from './time-zone.js'

const DEFAULT_ZONE = 'UTC'
const MAX_NAME_LENGTH = 100
const DAY_MINUTES = 24 * 60
const CATCH_UP_MINUTES = 10

/** What happens at a time when the run of an earlier one goes on. */
export const OVERLAPS = ['skip', 'wait', 'allow'] as const

/** What a later file, or a deployment over a file, does not repeat is optional here. */
const content = z.strictObject({
  chain: z.string().min(1).optional().describe('The chain that runs'),
  event: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe('An event that is emitted instead, for whoever listens'),
  category: z.string().optional().describe('Sent with the event'),
  cron: z.string().optional().describe('5 fields as in Unix, or 6 to 7 as in Quartz, seconds first'),
  timezone: z.string().default(DEFAULT_ZONE).describe('Whose clock it goes by, e.g. Europe/Berlin'),
  username: z.string().min(1).optional().describe('Who it acts as; whoever deploys it when it is absent'),
  input: z.string().optional().describe('The path or id of a document, which is the input of the chain'),
  params: z.record(z.string(), z.json()).default({}).describe('Parameters of the chain'),
  repository: z
    .string()
    .min(1)
    .optional()
    .describe('The repository that it acts on; absent: the default one'),
  overlap: z
    .enum(OVERLAPS)
    .default('skip')
    .describe('While the run before goes on: skip this one, let one wait, or allow several at a time'),
  catchUpMinutes: z
    .int()
    .min(1)
    .max(DAY_MINUTES)
    .default(CATCH_UP_MINUTES)
    .describe('How late it may begin when the engine was down at its time; what is later is left out'),
  enabled: z.boolean().default(true),
})

type Content = z.output<typeof content>

const messageOf = (check: () => unknown): string | undefined => {
  try {
    check()
    return undefined
  } catch (error) {
    if (!isArchivoltError(error)) throw error
    return error.message
  }
}

const refusalOfInput = (input: string): string | undefined =>
  /^\/|^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(input)
    ? undefined
    : `expected the path or the id of a document, found "${input}"`

const refusalOfEvent = (event: string): string | undefined =>
  REPOSITORY_EVENTS.has(event) || IDENTITY_EVENTS.has(event)
    ? `${event} is an event of the product, which alone may emit it`
    : undefined

const refusalsOf = ({ chain, event, cron, timezone, input, params }: Content): Finding[] => {
  const isEvent = event !== undefined
  const refusals: { [field: string]: string | undefined } = {
    chain: chain === undefined && !isEvent ? 'is missing: a schedule names a chain or an event' : undefined,
    event: chain !== undefined && isEvent ? 'stands beside a chain; one of both is expected' : undefined,
    cron: cron === undefined ? 'is missing' : messageOf(() => parseCron(cron)),
    timezone: messageOf(() => zoneOf(timezone)),
    input: input === undefined ? undefined : isEvent ? 'an event takes none' : refusalOfInput(input),
    params: isEvent && Object.keys(params).length > 0 ? 'an event takes none' : undefined,
  }
  refusals.event ??= isEvent ? refusalOfEvent(event) : undefined
  return Object.entries(refusals).flatMap(([field, message]) =>
    message === undefined ? [] : [{ path: [field], message }],
  )
}

/** Chains that run, and events that are emitted, at certain times (workflow-audit.md §7, Schedule). */
export const schedulesPoint = defineExtensionPoint({
  point: 'schedules',
  xml: scheduleXml,
  name: z.string().max(MAX_NAME_LENGTH, `at most ${MAX_NAME_LENGTH} characters`),
  schema: content,
  check: refusalsOf,
})

export type Schedule = Omit<Content, 'enabled' | 'timezone'> & {
  name: string
  cron: string
  calendars: readonly Calendar[]
  /** As the tz database spells it. */
  timezone: string
}

/** Every schedule that is in force, by name. */
export const schedulesRegistry = defineRegistry<ReadonlyMap<string, Schedule>>({
  name: 'schedules',
  build: (contributions: Contributions) =>
    new Map(
      [...contributions.get(schedulesPoint)].map(([name, { enabled: _, repository, ...schedule }]) => {
        // The point's check lets no schedule pass without.
        const cron = schedule.cron ?? ''
        const calendars = parseCron(cron)
        const isElsewhere = repository !== undefined && repository !== DEFAULT_REPOSITORY
        return [
          name,
          {
            ...schedule,
            ...(isElsewhere && { repository }),
            name,
            cron,
            calendars,
            timezone: zoneOf(schedule.timezone),
          },
        ]
      }),
    ),
})
