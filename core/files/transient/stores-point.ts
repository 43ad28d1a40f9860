import { z } from 'zod'
import { type Contributions, defineExtensionPoint } from '../../platform/contributions/index.js'

const kinds = ['local', 'cluster'] as const

const minutes = z.coerce.number().positive().max(525_600)
/** -1: as much as there is room for. */
const megabytes = z.coerce.number().int().min(-1)

const content = z.strictObject({
  kind: z
    .enum(kinds)
    .optional()
    .describe(
      'local: a folder; cluster: the database, with the bytes in the blob store that all nodes share',
    ),
  path: z
    .string()
    .regex(/^[\w-][\w.-]*$/, 'expected the name of a folder')
    .optional()
    .describe('Folder of a local store below the folder of all of them; its name when absent'),
  firstLevelTTL: minutes.optional().describe('Minutes that an entry lives, counted again from each write'),
  secondLevelTTL: minutes.optional().describe('Minutes that an entry lives once it was released'),
  targetMaxSizeMB: megabytes.optional().describe('A store that holds more removes what is released at once'),
  absoluteMaxSizeMB: megabytes.optional().describe('A store that would hold more refuses blobs'),
})

const CLASS_OF_CLUSTER = /(?:Redis|KeyValueBlob)TransientStore$/

/** Stores of entries that expire, by name (blobs-conversions.md §1, transient store). */
export const transientStoresPoint = defineExtensionPoint({
  point: 'transientStores',
  elements: {
    store: {
      is: ({ children }) => children.some(({ name }) => /LevelTTL$|MaxSizeMB$/.test(name)),
      ignored: ['property', 'minimumRetentionTime'],
      rewrite: (part) => {
        const { class: implementation, path, ...attributes } = part.attributes
        const kind = implementation && (CLASS_OF_CLUSTER.test(implementation) ? 'cluster' : 'local')
        return {
          ...part,
          attributes: { ...attributes, ...(kind && { kind }), ...(path && { path }) },
        }
      },
    },
  },
  schema: content,
})

/** How a store keeps its entries; times in milliseconds, sizes in bytes, absent when there is no limit. */
export type TransientStoreConfig = {
  name: string
  kind: (typeof kinds)[number]
  path: string
  firstLifeMs: number
  secondLifeMs: number
  targetMaxBytes: number | undefined
  absoluteMaxBytes: number | undefined
}

const DEFAULT = 'default'
const MINUTE = 60_000

const bytesOf = (megabytes: number | undefined): number | undefined =>
  megabytes === undefined || megabytes < 0 ? undefined : megabytes * 1024 * 1024

/** How the store of a name is configured; what it leaves out, and a store that nobody declares, is as `default` is. */
export const transientStoreConfig = (contributions: Contributions, name: string): TransientStoreConfig => {
  const stores = contributions.get(transientStoresPoint)
  const own = stores.get(name)
  const found = { ...stores.get(DEFAULT), ...own }
  return {
    name,
    kind: found.kind ?? 'local',
    path: own?.path ?? name,
    firstLifeMs: (found.firstLevelTTL ?? 120) * MINUTE,
    secondLifeMs: (found.secondLevelTTL ?? 10) * MINUTE,
    targetMaxBytes: bytesOf(found.targetMaxSizeMB),
    absoluteMaxBytes: bytesOf(found.absoluteMaxSizeMB),
  }
}

/** Names of all stores that a deployment declares. */
export const transientStoreNames = (contributions: Contributions): string[] => [
  ...contributions.get(transientStoresPoint).keys(),
]
