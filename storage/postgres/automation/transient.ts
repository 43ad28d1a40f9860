import { CHUNK_SIZE, type TransientStore } from '../../../core/automation/language/index.js'
import type { PropertyValue } from '../../../core/model/properties/index.js'
import { fail } from '../../../core/platform/errors/index.js'
import type { WriteAccount } from '../../../core/platform/limits/index.js'
import { transientEntries } from '../../../schema/execution.js'
import type { Sql } from '../connection/index.js'
import { columnsOf, named, tableOf } from '../rows/index.js'

const ENTRIES = tableOf(transientEntries)
const ENTRY = columnsOf(transientEntries)

/** Runs that wait longer than this for their next step lose what they left behind. */
const DAYS_KEPT = 30

export const createTransientStore = (sql: Sql, writes?: WriteAccount): TransientStore => {
  const write = async (key: string, chunks: readonly PropertyValue[]): Promise<void> => {
    const rows = chunks.map((value, chunk) => ({ chunk, value, bytes: JSON.stringify(value).length }))
    await writes?.spend(rows.reduce((sum, { bytes }) => sum + bytes, 0))
    await named(sql)`
      INSERT INTO ${ENTRIES} (${ENTRY.key}, ${ENTRY.chunk}, ${ENTRY.value}, ${ENTRY.bytes}, ${ENTRY.expiresAt})
      SELECT ${key}, r.chunk, coalesce(r.value, 'null'), r.bytes, now() + make_interval(days => ${DAYS_KEPT})
      FROM jsonb_to_recordset(${sql.json(rows as never)}) AS r(chunk int, value jsonb, bytes bigint)`
  }

  return {
    put: (key, value) => write(key, [value]),

    get: async (key) => {
      const [row] = await named(sql)<{ value: PropertyValue }[]>`
        SELECT ${ENTRY.value} AS value FROM ${ENTRIES}
        WHERE ${ENTRY.key} = ${key} AND ${ENTRY.chunk} = 0 AND ${ENTRY.expiresAt} > now()`
      return row?.value
    },

    putList: async (key, ids) => {
      const chunks: string[][] = []
      for (let from = 0; from < ids.length; from += CHUNK_SIZE)
        chunks.push(ids.slice(from, from + CHUNK_SIZE))
      await write(key, chunks)
    },

    getList: async (key, from, to) => {
      const first = Math.floor(from / CHUNK_SIZE)
      const rows = await named(sql)<{ value: string[] }[]>`
        SELECT ${ENTRY.value} AS value FROM ${ENTRIES}
        WHERE ${ENTRY.key} = ${key} AND ${ENTRY.chunk} BETWEEN ${first} AND ${Math.floor((to - 1) / CHUNK_SIZE)}
          AND ${ENTRY.expiresAt} > now()
        ORDER BY ${ENTRY.chunk}`
      const ids = rows.flatMap((row) => row.value).slice(from - first * CHUNK_SIZE, to - first * CHUNK_SIZE)
      if (ids.length < to - from) throw fail('notFound', `The list ${key} of this run has expired`)
      return ids
    },
  }
}
