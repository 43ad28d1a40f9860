import { z } from 'zod'
import { defineExtensionPoint } from '../../platform/contributions/index.js'
import { isZone } from './local-day.js'

/** Business days of one duration: some forty years. */
export const MAX_DAYS = 10_000

/** The calendar of durations that name none. */
export const DEFAULT_CALENDAR = 'default'

const content = z.strictObject({
  numberOfDays: z.int().min(0).max(MAX_DAYS).describe('Business days after the day on which it begins'),
  calendar: z
    .string()
    .min(1)
    .optional()
    .describe(`The holiday calendar that it goes by; absent: ${DEFAULT_CALENDAR}, when there is one`),
  timezone: z
    .string()
    .refine(isZone, 'there is no such time zone; one is named like Europe/Berlin or UTC')
    .optional()
    .describe("Whose midnights count; absent: the calendar's"),
})

export type Duration = z.output<typeof content>

/** Durations in business days; the name of a contribution is the duration's label (workflow-audit.md §8). */
export const durationsPoint = defineExtensionPoint({
  point: 'durations',
  elements: { duration: { nameAttribute: 'label' } },
  schema: content,
  references: ({ calendar }) =>
    calendar === undefined ? [] : [{ path: ['calendar'], point: 'holidayCalendars', name: calendar }],
})
