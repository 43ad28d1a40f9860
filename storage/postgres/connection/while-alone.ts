import type { Database } from './database.js'

/**
 * Does something that one process at a time may do, for as long as a transaction holds the lock of that name.
 *
 * @returns undefined, with nothing done, when another process is at it.
 */
export const whileAlone = <Result>(
  { transaction }: Pick<Database, 'transaction'>,
  name: string,
  work: () => Promise<Result>,
): Promise<Result | undefined> =>
  transaction(async (tx) => {
    const [lock] = await tx<{ isOurs: boolean }[]>`
      SELECT pg_try_advisory_xact_lock(hashtextextended(${name}, 0)) AS "isOurs"`
    return lock?.isOurs ? work() : undefined
  })
