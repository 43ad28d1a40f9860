import { and, eq, sql as expression, isNull, not, or, type SQL } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import type { TransientStoreConfig } from '../../../core/files/transient/index.js'
import { transientFileEntries as entries } from '../../../schema/transient-files.js'
import { type Sql, typed } from '../connection/index.js'

const within = (column: AnyPgColumn, ms: number): SQL =>
  expression`${column} >= now() - ${ms}::float8 * interval '1 millisecond'`

/** Entries of one store, and when their lives end. */
export const createEntries = (
  sql: Sql,
  { name, firstLifeMs, secondLifeMs }: Pick<TransientStoreConfig, 'name' | 'firstLifeMs' | 'secondLifeMs'>,
) => {
  const db = typed(sql)
  const inStore = eq(entries.store, name)
  const alive = and(
    within(entries.touchedAt, firstLifeMs),
    or(isNull(entries.releasedAt), within(entries.releasedAt, secondLifeMs)),
  )!
  const place = (key: string) => and(inStore, eq(entries.key, key))
  const renewed = { touchedAt: expression`now()`, releasedAt: null }

  return {
    alive,
    inStore,

    find: async (key: string) => {
      const [found] = await db
        .select()
        .from(entries)
        .where(and(place(key), alive))
      return found
    },

    /** Begins a life of the entry again, created if need be. */
    touch: async (key: string): Promise<void> => {
      const living = await db
        .update(entries)
        .set(renewed)
        .where(and(place(key), alive))
        .returning({ key: entries.key })
      if (living.length > 0) return
      await db.delete(entries).where(and(place(key), not(alive)))
      await db
        .insert(entries)
        .values({ store: name, key })
        .onConflictDoUpdate({ target: [entries.store, entries.key], set: renewed })
    },

    change: async (key: string, values: Partial<typeof entries.$inferInsert>): Promise<void> => {
      await db.update(entries).set(values).where(place(key))
    },

    release: async (key: string): Promise<void> => {
      await db.update(entries).set({ releasedAt: expression`now()` }).where(place(key))
    },

    remove: async (key: string): Promise<void> => {
      await db.delete(entries).where(place(key))
    },

    removeExpired: async (): Promise<number> => {
      const removed = await db
        .delete(entries)
        .where(and(inStore, not(alive)))
        .returning({ key: entries.key })
      return removed.length
    },
  }
}
