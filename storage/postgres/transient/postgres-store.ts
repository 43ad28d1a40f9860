import { and, eq, sql as expression } from 'drizzle-orm'
import type { BlobStore, StoredBlob } from '../../../core/files/blobs/index.js'
import {
  isStored,
  sharedLength,
  storageLength,
  type TransientFileStore,
  type TransientStoreConfig,
  type TransientSummary,
  withinSpace,
} from '../../../core/files/transient/index.js'
import { fail } from '../../../core/platform/errors/index.js'
import {
  transientFileEntries as entries,
  transientFileParts as parts,
} from '../../../schema/transient-files.js'
import { type Sql, typed } from '../connection/index.js'
import { createEntries } from './entries.js'
import { blobIn, createParts, parameterIn } from './parts.js'

/**
 * Entries as rows, with their bytes in the blob store: whatever one node has kept is there for all others that share
 * both. Bytes that no entry names are left to the collection of blobs.
 *
 * @param options.sql a connection that callers may wait for while they hold another one.
 */
export const createPostgresTransientStore = ({
  sql,
  config,
  blobs,
}: {
  sql: Sql
  config: TransientStoreConfig
  blobs: Pick<BlobStore, 'open' | 'write'>
}): TransientFileStore => {
  const db = typed(sql)
  const { find, touch, change, release, remove, removeExpired, alive, inStore } = createEntries(sql, config)
  const own = createParts(sql, config.name)

  async function* list(): AsyncGenerator<TransientSummary> {
    const found = await db
      .select({
        key: entries.key,
        length: expression<string>`coalesce(sum(${parts.length}), 0)`,
      })
      .from(entries)
      .leftJoin(parts, and(eq(parts.store, entries.store), eq(parts.key, entries.key)))
      .where(and(inStore, alive))
      .groupBy(entries.key)
    // All bytes are in the blob store.
    for (const { key, length } of found) yield { key, length: Number(length), keptBytes: 0 }
  }

  const blob = async (key: string, name: string) =>
    (await find(key)) && blobIn(await own.value(key, 'blob', name))

  const usedBytes = sharedLength({ list })

  return {
    exists: async (key) => (await find(key)) !== undefined,

    parameters: async (key) => {
      if (!(await find(key))) return undefined
      const found = await own.all(key, 'parameter')
      return new Map(found.map(({ name, value }) => [name, parameterIn(value) ?? null]))
    },

    parameter: async (key, name) => (await find(key)) && parameterIn(await own.value(key, 'parameter', name)),

    putParameters: async (key, parameters) => {
      await touch(key)
      for (const [name, value] of Object.entries(parameters))
        await own.put(key, { kind: 'parameter', name, value: { value }, replaces: true })
    },

    addParameter: async (key, name, value) => {
      await touch(key)
      await own.put(key, { kind: 'parameter', name, value: { value }, replaces: false })
      return parameterIn(await own.value(key, 'parameter', name)) ?? null
    },

    blobNames: async (key) => ((await find(key)) ? (await own.all(key, 'blob')).map(({ name }) => name) : []),

    blob,

    putBlob: async (key, name, content, { replaces = false, ...options } = {}) => {
      await touch(key)
      const known = replaces ? undefined : await blob(key, name)
      if (known) return known
      const put = (stored: StoredBlob) =>
        own.put(key, { kind: 'blob', name, value: stored, length: stored.length, replaces })
      const limits = { absoluteMaxBytes: config.absoluteMaxBytes, maxLength: options.maxLength }
      const wanted = isStored(content) ? content.length : 0
      await withinSpace(usedBytes, { ...limits, wanted }, async (maxLength) =>
        put(isStored(content) ? content : await blobs.write(content, { ...options, maxLength })),
      )
      await touch(key)
      const kept = await blob(key, name)
      if (!kept) throw fail('notFound', `The entry ${key} was removed meanwhile`)
      return kept
    },

    open: async (key, name) => {
      const found = await blob(key, name)
      if (!found?.stored) throw fail('notFound', `There is no blob ${name} in the entry ${key}`)
      return blobs.open(found.stored)
    },

    removeParts: own.remove,

    isCompleted: async (key) => (await find(key))?.isCompleted ?? false,

    setCompleted: async (key, isCompleted) => {
      await touch(key)
      await change(key, { isCompleted })
    },

    length: async (key) => ((await find(key)) ? own.length(key) : -1),

    remove: async (key) => {
      const isThere = (await find(key)) !== undefined
      await remove(key)
      return isThere
    },

    release: async (key) => {
      const { targetMaxBytes } = config
      if (targetMaxBytes !== undefined && (await storageLength({ list })) > targetMaxBytes) await remove(key)
      else await release(key)
    },

    list,
    removeExpired,

    references: async (found) => {
      const blobsOfStore = await db
        .select({ value: parts.value })
        .from(parts)
        .where(and(eq(parts.store, config.name), eq(parts.kind, 'blob')))
      for (const { value } of blobsOfStore) found((value as StoredBlob).key)
    },
  }
}
