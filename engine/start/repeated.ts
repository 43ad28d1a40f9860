import type { Plan } from '../../core/automation/planning/index.js'
import type { ChainRun } from '../../workflows/chain/types.js'

/** A run that begins again where it stopped. Whoever does it again gives it time again. */
export const repeated = ({ endsAt: _, ...run }: ChainRun): ChainRun => ({ ...run, isRepeated: true })

/** A run of its own for what another one did: without its place in it, and with time again. */
export const anotherRun = (
  { cursor: _, loops: __, item: ___, endsAt: ____, ...run }: ChainRun,
  plan: Plan,
): ChainRun => ({ ...run, plan })
