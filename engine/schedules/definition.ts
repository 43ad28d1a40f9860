import { createHash } from 'node:crypto'
import type { ScheduleOptions } from '@temporalio/client'
import { scheduleIdOf } from '../../core/automation/runs/index.js'
import type { ActingSchedule } from '../../core/automation/schedules/index.js'
import type { ScheduledTime } from '../../workflows/chain/types.js'
import { runAttributes } from '../attributes/index.js'
import { scheduleSpec } from './spec.js'

const OVERLAP = { skip: 'SKIP', wait: 'BUFFER_ONE', allow: 'ALLOW_ALL' } as const

/** Those of a release that did not sign their input, or signed it in another form, are written again. */
const SIGNED = 'signed bound'

/** A schedule as the engine keeps it. The revision in its arguments distinguishes one definition from another. */
export type Definition = Pick<ScheduleOptions, 'spec' | 'policies' | 'action'> & {
  action: { args: [ScheduledTime] }
}

/** The engine's definition of a deployed schedule. */
export const definitionOf = ({ schedule, username }: ActingSchedule, taskQueue: string): Definition => {
  const { name, chain, event, input, overlap, catchUpMinutes } = schedule
  const spec = scheduleSpec(schedule)
  const policies = { overlap: OVERLAP[overlap], catchupWindow: catchUpMinutes * 60_000 }
  const chainId = chain ?? `event ${event}`
  const kind = { workflowType: chain === undefined ? 'scheduledEvent' : 'scheduledChain', taskQueue }
  const definition = JSON.stringify([spec, policies, kind, chainId, username, input, SIGNED])
  const revision = createHash('sha256').update(definition).digest('base64url')
  return {
    spec,
    policies,
    action: {
      ...kind,
      type: 'startWorkflow',
      workflowId: scheduleIdOf(taskQueue, name),
      args: [{ schedule: name, revision }],
      memo: { principal: username, schedule: name },
      typedSearchAttributes: runAttributes({ chainId, principal: username, documentId: input }),
    },
  }
}

/** The revision of a definition, by the arguments of its action. */
export const revisionIn = (args: unknown): string | undefined =>
  Array.isArray(args) ? (args[0] as Partial<ScheduledTime> | undefined)?.revision : undefined
