import type { Principal } from '../../../core/access/security/index.js'
import { type DryRun, dryRunChain } from '../../../core/automation/dry-run/index.js'
import type { SegmentDependencies } from '../../../core/automation/execution/index.js'
import type { ChainDefinition } from '../../../core/automation/language/index.js'
import type { RunRequest } from '../../../core/automation/planning/index.js'
import { seenById, summaryOf } from './dry-run-output.js'

const entityOf = (id: string, { output, effects, boundaries, loops, incidents, commands }: DryRun) => ({
  'entity-type': 'dryRun',
  operation: id,
  output: summaryOf(output, seenById(effects)),
  boundaries,
  ...effects,
  loops,
  incidents: incidents.map(({ omitted: _, ...incident }) => incident),
  incidentCount: incidents.reduce((count, { omitted = 0 }) => count + 1 + omitted, 0),
  commands,
})

/** What a call would do, of which nothing is kept: see `dryRunChain`. */
export const dryRunEntity = async (
  segments: SegmentDependencies,
  call: { chain: ChainDefinition; request: RunRequest; principal: Principal; signal: AbortSignal },
): Promise<object> => entityOf(call.chain.id, await dryRunChain(segments, call))
