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
        event: z.string().optional().describe('Told instead of a chain being run'),
        cron: z.string(),
        timezone: z.string(),
        username: z.string().describe('Who it acts as'),
        state: z.enum(['active', 'paused', 'pending']),
        note: z.string().optional().describe('What whoever paused it has left'),
        next: z.array(z.string()).describe('When it comes next'),
        runs: z
          .array(z.object({ workflowId: z.string(), scheduledAt: z.string(), startedAt: z.string() }))
          .describe('What it has started, the latest first'),
        left: z
          .object({ overlapping: z.int(), missed: z.int() })
          .describe(
            'Times at which nothing was started: the run before went on, or nobody was there for too long',
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
      .describe('The run of its chain; absent: it has yet to begin, or an event is told'),
    waitsFor: z.string().optional().describe('The run after which it begins'),
  }),
)
