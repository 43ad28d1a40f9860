import { and, eq, sql as expression, inArray } from 'drizzle-orm'
import type { StoredBlob } from '../../../core/files/blobs/index.js'
import type { TransientBlob } from '../../../core/files/transient/index.js'
import type { PropertyValue } from '../../../core/model/properties/index.js'
import { fail } from '../../../core/platform/errors/index.js'
import { transientFileParts as parts } from '../../../schema/transient-files.js'
import { type Sql, typed } from '../connection/index.js'

type Kind = 'parameter' | 'blob'

const NO_ENTRY = '23503'

/** Parameters and blobs of the entries of one store, whether those are alive or not. */
export const createParts = (sql: Sql, store: string) => {
  const db = typed(sql)
  const of = (key: string, kind?: Kind) =>
    and(eq(parts.store, store), eq(parts.key, key), kind && eq(parts.kind, kind))

  return {
    all: async (key: string, kind: Kind) =>
      db.select({ name: parts.name, value: parts.value }).from(parts).where(of(key, kind)),

    value: async (key: string, kind: Kind, name: string): Promise<unknown> => {
      const [found] = await db
        .select({ value: parts.value })
        .from(parts)
        .where(and(of(key, kind), eq(parts.name, name)))
      return found?.value
    },

    /** @throws notFound when the entry has been removed meanwhile. */
    put: async (
      key: string,
      {
        kind,
        name,
        value,
        length = 0,
        replaces,
      }: {
        kind: Kind
        name: string
        value: { value: PropertyValue } | StoredBlob
        length?: number
        replaces: boolean
      },
    ): Promise<void> => {
      const insert = db.insert(parts).values({ store, key, kind, name, value: value, length })
      const target = [parts.store, parts.key, parts.kind, parts.name]
      try {
        await (replaces
          ? insert.onConflictDoUpdate({ target, set: { value: value, length } })
          : insert.onConflictDoNothing())
      } catch (error) {
        if (!(error instanceof Error && 'code' in error && error.code === NO_ENTRY)) throw error
        throw fail('notFound', `The entry ${key} was removed meanwhile`, { cause: error })
      }
    },

    remove: async (key: string, names: readonly string[]): Promise<void> => {
      if (names.length > 0) await db.delete(parts).where(and(of(key), inArray(parts.name, [...names])))
    },

    length: async (key: string): Promise<number> => {
      const [found] = await db
        .select({ length: expression<string>`coalesce(sum(${parts.length}), 0)` })
        .from(parts)
        .where(of(key))
      return Number(found?.length ?? 0)
    },
  }
}

export const blobIn = (value: unknown): TransientBlob | undefined => {
  const stored = value as StoredBlob | undefined
  return stored && { length: stored.length, stored }
}

/** Inside of an object, as the driver reads a text of digits as a number. */
export const parameterIn = (value: unknown): PropertyValue | undefined =>
  (value as { value: PropertyValue } | undefined)?.value
