import type { PropertyValue } from '../../../model/properties/index.js'
import { fail } from '../../../platform/errors/index.js'
import type { DryRunNotes, NestedCall, OperationContext, Value } from '../../language/index.js'
import { briefly, incidentInput } from '../../run-store/index.js'

/** Whether a step as it is written asks for a transaction of its own. */
export const asksForTransaction = ({ newTx }: { [name: string]: PropertyValue }): boolean =>
  newTx === true || (typeof newTx === 'string' && newTx.trim().toLowerCase() === 'true')

/**
 * A new transaction begins between the steps of a chain, so the code of such an operation is reached only
 * where one is open that cannot be committed: inside an operation, or when an expression asks for it. A dry run
 * goes on in its own.
 *
 * @throws badRequest outside of a dry run.
 */
export const requireDryRun = ({ services }: OperationContext, id: string): DryRunNotes => {
  if (services.dryRun) return services.dryRun
  throw fail(
    'badRequest',
    `${id}: a new transaction cannot begin inside another one; make it a step of a chain that is run by itself`,
  )
}

/**
 * A call that would have had a transaction of its own, in that of a dry run: one that may fail without ending the run
 * is undone alone.
 *
 * @returns undefined for one that has failed, so that what came in goes on.
 */
export const dryRunCall = async (
  context: OperationContext,
  call: NestedCall,
  { operation, endsRun }: { operation: string; endsRun: boolean },
): Promise<Value | undefined> => {
  requireDryRun(context, operation)
  if (endsRun) return context.run(call)
  const outcome = await context.attempt(call)
  if ('output' in outcome) return outcome.output
  context.report({
    kind: 'passedOver',
    operation,
    target: call.id,
    input: incidentInput(call.input),
    failure: briefly(outcome.failure),
  })
  return undefined
}
