import type { Principal } from '../../../access/security/index.js'
import type { OperationContext } from '../../language/index.js'
import type { TransactionReach } from '../../run-store/index.js'
import { executionOf, type SegmentDependencies } from '../execution-of.js'
import { openContext } from '../executor.js'

type Moment = { principal: Principal; now: Date }

const reachAt = (reach: TransactionReach, { principal, now }: Moment): TransactionReach => ({
  session: { ...reach.sessionAs(principal), now },
  sessionAs: (other) => ({ ...reach.sessionAs(other), now }),
  transient: reach.transient,
  sequences: reach.sequences,
  bulk: reach.bulk,
  attempt: (work) => reach.attempt((inner) => work(reachAt(inner, { principal, now }))),
  limited: reach.limited,
})

/** What operations have in a transaction that is open, for somebody, and as if it were another time. */
export const contextAt = (
  dependencies: SegmentDependencies,
  reach: TransactionReach,
  { signal, ...moment }: Moment & { signal: AbortSignal },
): OperationContext => openContext(executionOf(dependencies, reachAt(reach, moment), { chains: {}, signal }))
