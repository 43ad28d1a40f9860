import { randomUUID } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import type { BlobContent, StoredBlob } from '../../../core/files/blobs/index.js'
import { isStored, type TransientBlob, type TransientWrite } from '../../../core/files/transient/index.js'
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

export const putBlob = async (
  place: Place,
  name: string,
  {
    content,
    replaces = false,
    ...options
  }: Omit<TransientWrite, 'owner'> & { content: BlobContent | StoredBlob },
): Promise<void> => {
  const file = fileName(name)
  if (isStored(content)) {
    await putText(place, join(place.stored, file), { text: JSON.stringify(content), replaces })
    if (replaces) await removeFile(join(place.bytes, file))
    return
  }
  const temporary = join(place.temporary, randomUUID())
  try {
    await writeContent(content, temporary, options)
    await putInPlace(temporary, join(place.bytes, file), { replaces })
  } finally {
    await removeFile(temporary)
  }
  if (replaces) await removeFile(join(place.stored, file))
}

export const openBytes = async (place: Place, name: string): Promise<Readable> => {
  const path = join(place.bytes, fileName(name))
  return openRange(path, { start: 0, end: ((await lengthOf(path)) ?? 0) - 1 })
}
