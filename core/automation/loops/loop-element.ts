import type { Principal } from '../../access/security/index.js'
import type { PropertyValue } from '../../model/properties/index.js'
import {
  executeTarget,
  executionOf,
  isFinal,
  type RunContext,
  type SegmentDependencies,
  withTimeout,
} from '../execution/index.js'
import { KEPT_MESSAGE, type LoopFailure, type Value, type Variables } from '../language/index.js'
import {
  type IncidentLog,
  packState,
  type StepKey,
  type UnitOfWork,
  type UnitsOfWork,
} from '../run-store/index.js'
import type { Loop, LoopCall } from './open-loop.js'

/** @param element absent: it is not known any more. */
export const failureOf = (
  error: unknown,
  { position, element }: { position: number; element?: Value | undefined },
): LoopFailure | undefined =>
  isFinal(error)
    ? {
        position,
        status: error.status,
        message: error.message.slice(0, KEPT_MESSAGE),
        ...(element?.type === 'document' && { id: element.id }),
      }
    : undefined

/** Thrown to give up an element that another attempt has done meanwhile. */
export const taken = new Error('This element was done by another attempt')

export type LoopElement = {
  principal: Principal
  run: RunContext
  call: LoopCall
  loop: Loop
  element: Value
  position: number
  signal: AbortSignal
  transaction: UnitsOfWork['transaction']
  /** What the element tells; what it told before it failed is kept with its failure. */
  log: IncidentLog
}

/** That of an element's own incidents. */
const elementKey = ({ key }: Loop, position: number): StepKey => ({ ...key, step: `${key.step}/${position}` })

/** Keeps what an element has told, in the transaction of its effects or of its failure. */
export const keepElementIncidents = async (
  { incidents }: Pick<UnitOfWork, 'incidents'>,
  { loop, position, log }: Pick<LoopElement, 'loop' | 'position' | 'log'>,
): Promise<void> => {
  const told = log.all()
  if (told.length > 0) await incidents.record(elementKey(loop, position), told)
}

/**
 * Does one element in a transaction of its own.
 *
 * @param claiming takes the element for that transaction; false when another one has it.
 * @returns the variables behind it.
 * @throws `taken`; what the element throws.
 */
export const runElement = async (
  dependencies: SegmentDependencies,
  { principal, run, call, loop, element, position, signal, transaction, log }: LoopElement,
  claiming: (unit: UnitOfWork) => Promise<boolean>,
): Promise<Variables> =>
  transaction(principal, async (unit) => {
    log.clear()
    const execution = executionOf(dependencies, unit, { chains: run.chains, signal, tell: log.tell })
    const variables: Variables = { ...loop.state.variables, [loop.item]: element }
    // The claim is sent first: the database makes every other attempt wait at it until this one has committed
    // or failed. The work follows on the same connection without waiting for the answer, which saves a round
    // trip; what it did for nothing is rolled back.
    const [claim, work] = await Promise.allSettled([
      claiming(unit),
      withTimeout({ signal, seconds: loop.params.timeout }, (limited) =>
        executeTarget(
          { ...execution, signal: limited },
          {
            caller: call.step,
            variables,
            id: call.target,
            input: loop.state.input,
            parameters: loop.parameters,
            isolate: loop.isolate,
          },
        ),
      ),
    ])
    if (claim.status === 'rejected') throw claim.reason
    if (!claim.value) throw taken
    if (work.status === 'rejected') throw work.reason
    await keepElementIncidents(unit, { loop, position, log })
    if (!loop.isolate) {
      const packed = await packState(unit.transient, { input: loop.state.input, variables })
      await unit.receipts.keepLoopVariables(loop.key, packed as unknown as PropertyValue)
    }
    return loop.isolate ? loop.state.variables : variables
  })
