import { z } from 'zod'
import { component } from '../../openapi/index.js'

export const schedulesEntity = component(
  'schedules',
  z.object({
    'entity-type': z.literal('schedules'),
    entries: z.array(
      z.object({
        'entity-type': z.literal('schedule'),
        id: z.string(),
        chain: z.string().optional(),
        event: z.string().optional().describe('The event that is emitted, instead of a chain'),
        cron: z.string(),
        timezone: z.string(),
        username: z.string().describe('The user for whom it acts'),
        state: z.enum(['active', 'paused', 'pending']),
        note: z.string().optional().describe('The note of the operator who paused it'),
        next: z.array(z.string()).describe('Its next times'),
        runs: z
          .array(z.object({ workflowId: z.string(), scheduledAt: z.string(), startedAt: z.string() }))
          .describe('The runs that it started, the latest first'),
        left: z
          .object({ overlapping: z.int(), missed: z.int() })
          .describe(
            'Times at which no run started: the previous one was running, or the engine was down for too long',
          ),
      }),
    ),
  }),
)

export const scheduleRunEntity = component(
  'scheduleRun',
  z.object({
    'entity-type': z.literal('scheduleRun'),
    schedule: z.string(),
    workflowId: z
      .string()
      .optional()
      .describe('The run of its chain; absent: it has yet to begin, or an event is emitted'),
    waitsFor: z.string().optional().describe('The run that must end before it begins'),
  }),
)
