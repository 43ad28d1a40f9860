import type { Principal } from '../../../access/security/index.js'
import { fail } from '../../../platform/errors/index.js'
import type { Callable, ChainStep, Registry, Value } from '../../language/index.js'
import { type PackedState, packState, unpackState } from '../../run-store/index.js'
import { executionOf, type RunContext, type SegmentDependencies } from '../execution-of.js'
import { executeCatching } from '../executor.js'
import { throwIfLate } from '../time-limit.js'

/** Operations that touch nothing but files and the variables of the run, or run others, which are asked for again. */
const CATEGORIES = new Set(['Execution Context', 'Execution Flow', 'Push & Pop', 'Conversion', 'Scripting'])
const LOG = 'Log'

/** Whether something can run without a transaction: it writes nothing. */
export const mayWorkApart = (callable: Callable | undefined): boolean => {
  if (callable?.kind !== 'operation') return true
  const { id, isReadOnly, script, category } = callable.operation
  return isReadOnly === true || script !== undefined || CATEGORIES.has(category) || id === LOG
}

const readingOnly = (registry: Registry): Registry => ({
  ...registry,
  find: (id) => {
    const callable = registry.find(id)
    if (mayWorkApart(callable)) return callable
    throw fail('badRequest', `${id} needs a transaction, which what may take long does not have`)
  },
})

/** Whether a step says that what follows is not to run. */
export const isRefusal = (output: Value): boolean => output.type === 'boolean' && !output.value

/**
 * Runs steps that may take long without a transaction: they read what is committed, and write nothing but the
 * variables of their run. An attempt whose worker dies is done again.
 *
 * @throws badRequest for a step that would write.
 */
export const runApart = async (
  dependencies: SegmentDependencies,
  {
    principal,
    run,
    steps,
    input: given,
    signal,
  }: {
    principal: Principal
    run: RunContext
    steps: readonly ChainStep[]
    input?: Value | undefined
    signal: AbortSignal
  },
): Promise<PackedState> => {
  const unit = dependencies.units.reading(principal)
  const { input, variables } = await unpackState(unit.transient, run.state)
  const reading = { ...dependencies, registry: readingOnly(dependencies.registry) }
  const execution = executionOf(reading, unit, { chains: run.chains, signal })
  const { output } = await executeCatching(execution, { steps, input: given ?? input, variables })
  throwIfLate(signal)
  const packed = await packState(unit.transient, { input: output, variables })
  return isRefusal(output) ? { ...packed, isEnded: true } : packed
}
