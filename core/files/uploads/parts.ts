import type { PropertyValue } from '../../model/properties/index.js'
import type { TransientFileStore } from '../transient/index.js'
import type { FileDescription, UploadedFile } from './types.js'

/** What the first request of a file has said of it: later ones are not asked. */
export type FileRecord = FileDescription & {
  size?: number
  count?: number
  /** Of this record, for chunks: one that is removed and written again has another one. */
  id?: string
}

/** Names of what an entry keeps for a file; digits alone part them. */
const FILE = 'file/'
export const fileSlot = (index: string): string => `${FILE}${index}`
/** Says that more than one process has taken chunks of a file. */
export const sharedSlot = (index: string): string => `shared/${index}`
export const chunkSlot = (index: string, chunk: number | ''): string => `chunk/${index}/${chunk}`

/** Chunks of a file that an entry has, in their order. */
export const chunksOf = (index: string, blobs: readonly string[]): number[] => {
  const prefix = chunkSlot(index, '')
  return blobs
    .filter((name) => name.startsWith(prefix))
    .map((name) => Number(name.slice(prefix.length)))
    .sort((a, b) => a - b)
}

export const recordOf = (value: PropertyValue | undefined): FileRecord | undefined =>
  value === undefined ? undefined : (value as FileRecord)

export const allChunks = (count: number): number[] => Array.from({ length: count }, (_, at) => at)

/** A file of an entry, by its record and the names of the entry's blobs. */
export const fileOf = async (
  { store, key }: { store: Pick<TransientFileStore, 'blob'>; key: string },
  { index, record, blobs }: { index: string; record: FileRecord; blobs: readonly string[] },
): Promise<UploadedFile> => {
  const isStored = blobs.includes(fileSlot(index))
  const { name, size, count } = record
  if (count === undefined) {
    const blob = await store.blob(key, fileSlot(index))
    return { index, name, size: blob?.length ?? 0, isComplete: isStored }
  }
  // Chunks are removed once they are joined.
  const uploaded = isStored ? allChunks(count) : chunksOf(index, blobs)
  return {
    ...{ index, name, size: size ?? 0 },
    chunks: { count, uploaded },
    isComplete: uploaded.length === count,
  }
}

/** Indexes of the files that an entry has records of, in their order as numbers. */
export const indexesIn = (parameters: ReadonlyMap<string, PropertyValue>): string[] =>
  [...parameters.keys()]
    .filter((name) => name.startsWith(FILE))
    .map((name) => name.slice(FILE.length))
    .sort((a, b) => Number(a) - Number(b))
