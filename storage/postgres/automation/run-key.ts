import { randomBytes } from 'node:crypto'
import type { RunKey } from '../../../core/automation/run-store/index.js'
import { groups } from '../../../schema/identity.js'
import { runKeys } from '../../../schema/run-keys.js'
import type { Sql } from '../connection/index.js'
import { columnsOf, named, tableOf } from '../rows/index.js'

const KEYS = tableOf(runKeys)
const KEY = columnsOf(runKeys)
const NAME = 'signing'

/**
 * The key of this installation; the first process creates it. Where a release without signatures has run before, it
 * accepts what that one has started, with a minute for the clocks of database and Temporal to differ.
 *
 * To be called before the first start has filled the database.
 */
export const ensureRunKey = async (sql: Sql): Promise<RunKey> => {
  await named(sql)`
    INSERT INTO ${KEYS} (${KEY.name}, ${KEY.secret}, ${KEY.unsignedUntil})
    SELECT ${NAME}, ${randomBytes(32).toString('base64url')},
      CASE WHEN EXISTS (SELECT FROM ${tableOf(groups)}) THEN now() + interval '1 minute' END
    ON CONFLICT DO NOTHING`
  const [row] = await named(sql)<{ secret: string; unsignedUntil: Date | null; unboundUntil: Date | null }[]>`
    SELECT ${KEY.secret} AS secret, ${KEY.unsignedUntil} AS "unsignedUntil",
      ${KEY.unboundUntil} AS "unboundUntil" FROM ${KEYS}
    WHERE ${KEY.name} = ${NAME}`
  if (!row) throw new Error('The signing key of the installation is gone')
  return {
    secret: row.secret,
    unsignedUntil: row.unsignedUntil?.getTime() ?? 0,
    unboundUntil: row.unboundUntil?.getTime() ?? 0,
  }
}
