import type { BlobLedger } from '../../../core/files/blobs/index.js'
import { blobs, blobUsage } from '../../../schema/blobs.js'
import type { Database } from '../connection/index.js'
import { columnsOf, named, tableOf } from '../rows/index.js'

const [BLOBS, USAGE] = [tableOf(blobs), tableOf(blobUsage)]
const b = columnsOf(blobs)
const u = columnsOf(blobUsage)

/** Keys of one statement. */
const BATCH = 10_000

const batchesOf = (keys: readonly string[]): string[][] =>
  Array.from({ length: Math.ceil(keys.length / BATCH) }, (_, n) => keys.slice(n * BATCH, (n + 1) * BATCH))

/** On the connection beside the pool, since whoever writes a file may hold one of the pool's. */
export const createBlobLedger = ({ aside, sql, transaction }: Database): BlobLedger => ({
  usage: async (owner) => {
    const [row] = await named(aside)<{ own: string; total: string }[]>`
      SELECT coalesce(sum(${u.bytes}) FILTER (WHERE ${u.owner} = ${owner}), 0) AS own,
        coalesce(sum(${u.bytes}), 0) AS total
      FROM ${USAGE}`
    return { own: Number(row?.own ?? 0), total: Number(row?.total ?? 0) }
  },
  record: async ({ key, length }, owner) => {
    await named(aside)`
      WITH stored AS (
        INSERT INTO ${BLOBS} AS b (${b.key}, ${b.length}, ${b.owner}) VALUES (${key}, ${length}, ${owner})
        ON CONFLICT (${b.key}) DO UPDATE SET ${b.usedAt} = now(), ${b.unreferencedAt} = NULL
        RETURNING (xmax = 0) AS is_new)
      INSERT INTO ${USAGE} AS u (${u.owner}, ${u.bytes})
      SELECT ${owner}::text, ${length}::bigint FROM stored WHERE is_new
      ON CONFLICT (${u.owner}) DO UPDATE SET ${u.bytes} = u.bytes + EXCLUDED.bytes`
  },
  adopt: async (found) => {
    if (found.length === 0) return
    await named(sql)`
      WITH stored AS (
        INSERT INTO ${BLOBS} (${b.key}, ${b.length}, ${b.owner})
        SELECT key, length, '' FROM unnest(
          ${found.map(({ key }) => key)}::text[], ${found.map(({ length }) => length)}::bigint[]) AS f (key, length)
        ON CONFLICT DO NOTHING RETURNING ${b.length})
      INSERT INTO ${USAGE} AS u (${u.owner}, ${u.bytes})
      SELECT '', sum(${b.length}) FROM stored HAVING count(*) > 0
      ON CONFLICT (${u.owner}) DO UPDATE SET ${u.bytes} = u.bytes + EXCLUDED.bytes`
  },
  idle: async (graceMs) =>
    named(sql)<{ key: string; isSuspect: boolean }[]>`
      SELECT ${b.key}, ${b.unreferencedAt} IS NOT NULL AS "isSuspect" FROM ${BLOBS}
      WHERE ${b.usedAt} < now() - ${graceMs}::float8 * interval '1 millisecond'`,
  suspect: async (keys, graceMs) => {
    for (const batch of batchesOf(keys))
      await named(sql)`
        UPDATE ${BLOBS} SET ${b.unreferencedAt} = now()
        WHERE ${b.key} = ANY(${batch}::text[]) AND ${b.unreferencedAt} IS NULL
          AND ${b.usedAt} < now() - ${graceMs}::float8 * interval '1 millisecond'`
  },
  acquit: async (keys) => {
    for (const batch of batchesOf(keys))
      await named(sql)`UPDATE ${BLOBS} SET ${b.unreferencedAt} = NULL WHERE ${b.key} = ANY(${batch}::text[])`
  },
  expired: async (graceMs) => {
    const rows = await named(sql)<{ key: string }[]>`
      SELECT ${b.key} FROM ${BLOBS}
      WHERE ${b.unreferencedAt} < now() - ${graceMs}::float8 * interval '1 millisecond'`
    return rows.map(({ key }) => key)
  },
  remove: (key, graceMs, removeBytes) =>
    transaction(async (tx) => {
      const [removed] = await named(tx)<{ owner: string; length: string }[]>`
        DELETE FROM ${BLOBS} WHERE ${b.key} = ${key}
          AND ${b.unreferencedAt} < now() - ${graceMs}::float8 * interval '1 millisecond'
        RETURNING ${b.owner}, ${b.length}`
      if (!removed) return undefined
      // The row is held until the bytes are gone: whoever stores them again records them first, and so waits.
      await removeBytes()
      await named(tx)`
        UPDATE ${USAGE} SET ${u.bytes} = ${u.bytes} - ${removed.length}::bigint WHERE ${u.owner} = ${removed.owner}`
      return Number(removed.length)
    }),
})
