import { fail } from '../../core/errors/index.js'
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

/** Transactions one after another, each committed as soon as its work is done. */
export type Series = {
  transaction<Result>(work: (tx: Sql, withCommit: WithCommit) => Promise<Result>): Promise<Result>
  close(): Promise<void>
}

/**
 * Transactions that follow each other on one connection: the end of one begins the next in the same statement
 * (`COMMIT AND CHAIN`), which saves a round trip for each. One that fails is rolled back, and the next begins on
 * a connection of its own choice, since the driver reports any failed statement again when its transaction ends.
 *
 * @param begin opens a transaction of the driver.
 */
export const createSeries = (begin: Begin): Series => {
  let carrier: Carrier | undefined
  return {
    transaction: async (work) => {
      carrier ??= await openCarrier(begin)
      const { tx, abandon } = carrier
      try {
        const commit = openCommit()
        const result = await work(tx, commit.add)
        const { command } = await tx.unsafe('COMMIT AND CHAIN')
        await commit.settled()
        // Postgres answers so when a statement has failed, even if the work made nothing of it.
        if (command !== 'COMMIT') throw fail('unavailable', 'A statement of the transaction failed')
        return result
      } catch (error) {
        carrier = undefined
        await abandon(error)
        throw error
      }
    },
    close: async () => {
      await carrier?.end()
      carrier = undefined
    },
  }
}
