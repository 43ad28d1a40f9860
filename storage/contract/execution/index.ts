import type { ExecutionBackend } from './backend.js'
import { describeBulkStore } from './bulk.js'
import { describeEffects } from './effects.js'
import { describeHousekeeping } from './housekeeping.js'
import { describeIncidents } from './incidents.js'
import { describeInlineRuns } from './inline-runs.js'
import { describeIterations } from './iterations.js'
import { describeReceipts } from './receipts.js'
import { describeSequences } from './sequences.js'
import { describeRunTallies } from './tallies.js'
import { describeTransientStore } from './transient.js'

/** The suite of each store of runs, one after the other. */
export const describeExecutionStores = (name: string, backend: ExecutionBackend): void => {
  for (const describeStore of [
    describeTransientStore,
    describeSequences,
    describeReceipts,
    describeIterations,
    describeInlineRuns,
    describeIncidents,
    describeBulkStore,
    describeRunTallies,
    describeEffects,
    describeHousekeeping,
  ])
    describeStore(name, backend)
}

export type { ExecutionBackend } from './backend.js'
