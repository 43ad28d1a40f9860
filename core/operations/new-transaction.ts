import type { OperationContext } from '../automation/index.js'
import type { PropertyValue } from '../documents/index.js'
import { fail } from '../errors/index.js'

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
export const requireRehearsal = ({ services }: OperationContext, id: string): void => {
  if (services.isRehearsal) return
  throw fail(
    'badRequest',
    `${id}: a new transaction cannot begin inside another one; make it a step of a chain that is run by itself`,
  )
}
