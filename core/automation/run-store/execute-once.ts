import type { Principal } from '../../access/security/index.js'
import type { PropertyValue } from '../../model/properties/index.js'
import { fail } from '../../platform/errors/index.js'
import type { CallKey, StepKey } from './contracts/receipts.js'
import type { BeforeCommit, UnitOfWork, UnitsOfWork } from './contracts/unit-of-work.js'

type Work<Result> = {
  work(unit: UnitOfWork, beforeCommit: BeforeCommit): Promise<Result>
  /** What is written in the same transaction when the receipt is. */
  committing?(unit: UnitOfWork): Promise<void> | undefined
}

/** Thrown to roll back what another attempt has committed meanwhile. */
export const alreadyDone = new Error('This was committed by another attempt')

/**
 * Does work and its receipt in one transaction. When the work fails or its receipt is taken, an earlier attempt may
 * have committed it: then that attempt's result is the answer. Looking after the fact keeps the usual case free of a
 * query; what is known to come again is looked for before, so that what the work does outside of the database is not
 * done for nothing.
 *
 * @returns what the work came to, in JSON, now or then.
 */
export const executeOnce = async <Result extends object>(
  units: UnitsOfWork,
  { principal, key }: { principal: Principal; key: StepKey },
  { work, committing }: Work<Result>,
): Promise<Result> => {
  const before = key.isRepeated ? await units.reading(principal).receipts.find(key) : undefined
  if (before !== undefined) return before as unknown as Result
  try {
    return await units.transaction(principal, async (unit, beforeCommit) => {
      const result = await work(unit, beforeCommit)
      const isFirst = await unit.receipts.record(key, result as unknown as PropertyValue)
      if (!isFirst) throw alreadyDone
      await committing?.(unit)
      return result
    })
  } catch (error) {
    const recorded = await units.reading(principal).receipts.find(key)
    if (recorded !== undefined) return recorded as unknown as Result
    throw error
  }
}

/** @throws conflict when what was recorded under a key answers another call. */
export const requireSameCall = (recorded: object, { fingerprint }: CallKey): void => {
  if ('fingerprint' in recorded && recorded.fingerprint !== fingerprint)
    throw fail('conflict', 'Idempotency-Key: it was used for another request before')
}

/**
 * Does in one transaction what a caller asks for under a key, or returns what it came to the first time.
 *
 * @param work comes to what can be answered from later: ids, not what is read by them with the rights of that moment.
 * @param onEarlier called when it is what an earlier call came to.
 * @throws what the work throws; conflict when the key was used for another call.
 */
export const executeOnceForKey = async <Result extends object>(
  units: UnitsOfWork,
  { principal, key, onEarlier }: { principal: Principal; key: CallKey; onEarlier?: () => void },
  work: (unit: UnitOfWork) => Promise<Result>,
): Promise<Result> => {
  let own: object | undefined
  const recorded = await executeOnce(
    units,
    { principal, key },
    {
      work: async (unit) => {
        const done = { ...(await work(unit)), fingerprint: key.fingerprint }
        own = done
        return done
      },
    },
  )
  requireSameCall(recorded, key)
  if (recorded !== own) onEarlier?.()
  return recorded
}
