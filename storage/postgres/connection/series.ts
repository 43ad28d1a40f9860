import { fail } from '../../../core/platform/errors/index.js'
import type { Sql } from './database.js'
import { openCommit, type WithCommit } from './transaction.js'

type Begin = (work: (tx: Sql) => Promise<void>) => Promise<void>

/** One transaction of the driver, in which several of ours begin and end. */
type Carrier = { tx: Sql; end(): Promise<void>; abandon(error: unknown): Promise<void> }

const openCarrier = (begin: Begin): Promise<Carrier> =>
  new Promise((resolve, reject) => {
    const over = begin(
      (tx) =>
        new Promise<void>((end, abandon) => {
          // Whatever becomes of the last transaction, it is empty, or its failure is reported where it failed.
          const settled = (): Promise<void> => over.catch(() => undefined)
          resolve({
            tx,
            end: () => {
              end()
              return settled()
            },
            abandon: (error) => {
              abandon(error)
              return settled()
            },
          })
        }),
    )
    over.catch(reject)
  })

/**
 * Transactions one after another. Each is committed when its work is done: what asks for the commit is sent at once,
 * and answered before the next one's own is sent.
 */
export type Series = {
  /** @throws what the work throws; that the transaction before it could not be committed. */
  transaction<Result>(work: (tx: Sql, withCommit: WithCommit) => Promise<Result>): Promise<Result>
  /** @throws that the last transaction could not be committed. */
  close(): Promise<void>
}

/** Postgres answers ROLLBACK when a statement has failed, even if the work made nothing of it. */
const commitAndChain = async (tx: Sql, lasts: ReturnType<typeof openCommit>): Promise<void> => {
  const { command } = await tx.unsafe('COMMIT AND CHAIN')
  await lasts.settled()
  if (command !== 'COMMIT') throw fail('unavailable', 'A statement of the transaction failed')
}

/**
 * Transactions that follow each other on one connection: the end of one begins the next in the same statement
 * (`COMMIT AND CHAIN`), and the next one's first statements are sent behind it without waiting for its answer. That
 * saves two round trips of four for each. What commits nothing after all is found before anything behind it is
 * committed. One that fails is rolled back, and the next begins on a connection of its own choice, since the driver
 * reports any failed statement again when its transaction ends.
 *
 * @param begin opens a transaction of the driver.
 */
export const createSeries = (begin: Begin): Series => {
  let carrier: Carrier | undefined
  let committed = Promise.resolve()
  const abandon = async (error: unknown): Promise<void> => {
    const abandoned = carrier
    carrier = undefined
    committed = Promise.resolve()
    await abandoned?.abandon(error)
  }
  return {
    transaction: async (work) => {
      carrier ??= await openCarrier(begin)
      const { tx } = carrier
      const before = committed
      try {
        const lasts = openCommit()
        let hasLasts = false
        const result = await work(tx, (statement) => {
          hasLasts = true
          lasts.add(statement)
        })
        await before
        committed = commitAndChain(tx, lasts)
        committed.catch(() => undefined)
        // What the work has not seen the answer to may yet lose, and is then to be done again here.
        if (hasLasts) await committed
        return result
      } catch (error) {
        // What failed may have failed for that alone: it is no fault of this one's.
        const cause = await before.then(
          () => error,
          (reason: unknown) => reason,
        )
        await abandon(cause)
        throw cause
      }
    },
    close: async () => {
      try {
        await committed
        await carrier?.end()
      } catch (error) {
        await abandon(error)
        throw error
      } finally {
        carrier = undefined
      }
    },
  }
}
