import { expect } from 'vitest'
import type { Sql } from '../../../storage/postgres/index.js'
import { soon } from '../../support/soon.js'

/**
 * Waits until readers of the outbox see all that is committed: transactions of others, in whichever database of the
 * server, hold back what they may read or skip.
 */
export const untilReadable = async (sql: Sql): Promise<void> => {
  const [written] = await sql<{ id: string }[]>`SELECT pg_current_xact_id()::text AS id`
  await soon(async () => {
    const [horizon] = await sql<{ isBeyond: boolean }[]>`
      SELECT pg_snapshot_xmin(pg_current_snapshot())::text::bigint > ${written!.id}::bigint AS "isBeyond"`
    expect(horizon!.isBeyond).toBe(true)
  })
}
