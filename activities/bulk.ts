import { Context } from '@temporalio/activity'
import { type Principal, principalOf } from '../core/access/security/index.js'
import { collectBulk, runBulkBucket } from '../core/automation/bulk/processing/index.js'
import { type SegmentDependencies, withinTimeLimit } from '../core/automation/execution/index.js'
import { fail } from '../core/platform/errors/index.js'
import { failing } from './failure.js'
import { endingLostAttempts } from './lost-attempts.js'
import type { StepSlots } from './step-slots.js'
import type { BulkActivities, BulkInput, RunPlace } from './types.js'

/** Before an attempt times out, as in activities of chains: an error of our own is final. */
const LAST_MS = 15_000

/** The activities of the workflow `bulk`: thin, each one call of the core for the command's principal. */
export const createBulkActivities = ({
  segments,
  principal,
  slots,
}: {
  segments(place: RunPlace): Promise<SegmentDependencies>
  principal(name: string): Promise<Principal | undefined>
  slots: StepSlots
}): BulkActivities => {
  /** Runs work for the command's principal, within the time of an attempt. */
  const acting = async <Result>(
    input: BulkInput,
    work: (acted: { principal: Principal; id: string; signal: AbortSignal }) => Promise<Result>,
  ): Promise<Result> => {
    const found = await principal(input.principal)
    if (!found) throw fail('forbidden', `User ${input.principal} does not exist or is disabled`)
    const { info, cancellationSignal } = Context.current()
    const seconds = (info.startToCloseTimeoutMs - LAST_MS) / 1000
    return slots.within({ principal: found, isLocal: false }, () =>
      withinTimeLimit({ signal: cancellationSignal, seconds }, (signal) =>
        work({ principal: found, id: input.commandId, signal }),
      ),
    )
  }
  return {
    collectBulk: (input) =>
      failing(() =>
        endingLostAttempts((report) =>
          acting(input, async (call) => collectBulk(await segments(input), { ...call, report })),
        ),
      ),
    runBulkBucket: (input) =>
      failing(() =>
        endingLostAttempts((report) =>
          acting(input, async (call) => runBulkBucket(await segments(input), { ...call, report })),
        ),
      ),
    abortBulk: ({ commandId, principal: name, message, ...place }) =>
      failing(async () => {
        const { units } = await segments(place)
        // Also for somebody who is no user any more: nothing is read or changed but the command.
        await units.transaction(principalOf(name, [], false), ({ bulk }) =>
          bulk.end(commandId, 'ABORTED', message),
        )
      }),
  }
}
