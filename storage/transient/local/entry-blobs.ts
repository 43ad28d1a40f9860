import { randomUUID } from 'node:crypto'
import { type FileHandle, open, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import type { BlobContent, StoredBlob } from '../../../core/files/blobs/index.js'
import type { TransientBlob, TransientWrite } from '../../../core/files/transient/index.js'
import { openRange, writeContent } from '../../blobs/filesystem/index.js'
import { lengthOf, namesIn, putInPlace, readJson, removeFile } from './files.js'
import { fileName, nameOf, type Place } from './place.js'

/** What an entry has under a name: bytes of its own, or what the blob store has. */
export const blobOf = async (place: Place, name: string): Promise<TransientBlob | undefined> => {
  const length = await lengthOf(join(place.bytes, fileName(name)))
  if (length !== undefined) return { length }
  const stored = await readJson<StoredBlob>(join(place.stored, fileName(name)))
  return stored && { length: stored.length, stored }
}

export const blobNamesIn = async ({ bytes, stored }: Place): Promise<string[]> =>
  [...(await namesIn(bytes)), ...(await namesIn(stored))].map(nameOf)

/** Bytes of all blobs of an entry, and of those that are its own. */
export const lengthsIn = async (place: Place): Promise<{ length: number; keptBytes: number }> => {
  const lengths = { length: 0, keptBytes: 0 }
  for (const name of await blobNamesIn(place)) {
    const blob = await blobOf(place, name)
    if (!blob) continue
    lengths.length += blob.length
    if (!blob.stored) lengths.keptBytes += blob.length
  }
  return lengths
}

/** A file appears under its name when all of it is there. */
export const putText = async (
  place: Place,
  path: string,
  { text, replaces }: { text: string; replaces: boolean },
): Promise<void> => {
  const temporary = join(place.temporary, randomUUID())
  await writeFile(temporary, text)
  await putInPlace(temporary, path, { replaces })
}

/** A new file for what is being written. */
export const openTemporary = async (place: Place): Promise<{ path: string; file: FileHandle }> => {
  const path = join(place.temporary, randomUUID())
  return { path, file: await open(path, 'wx') }
}

/** Keeps what the blob store has. */
export const putStored = async (
  place: Place,
  name: string,
  { stored, replaces = false }: { stored: StoredBlob; replaces?: boolean | undefined },
): Promise<void> => {
  await putText(place, join(place.stored, fileName(name)), { text: JSON.stringify(stored), replaces })
  if (replaces) await removeFile(join(place.bytes, fileName(name)))
}

/**
 * @param options.opened takes the bytes, and is closed.
 * @returns what is kept; undefined when there is one of that name already.
 */
export const putBytes = async (
  place: Place,
  name: string,
  {
    content,
    opened: { path, file },
    replaces = false,
    ...options
  }: TransientWrite & { content: BlobContent; opened: Awaited<ReturnType<typeof openTemporary>> },
): Promise<TransientBlob | undefined> => {
  const bytes = join(place.bytes, fileName(name))
  let length: number
  try {
    length = await writeContent(content, file, options)
  } catch (error) {
    await removeFile(path)
    throw error
  }
  const isKept = await putInPlace(path, bytes, { replaces })
  if (replaces) await removeFile(join(place.stored, fileName(name)))
  return isKept ? { length } : undefined
}

export const openBytes = async (place: Place, name: string): Promise<Readable> => {
  const path = join(place.bytes, fileName(name))
  return openRange(path, { start: 0, end: ((await lengthOf(path)) ?? 0) - 1 })
}
