import { randomUUID } from 'node:crypto'
import { open, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { type BlobContent, READ_BUFFER_BYTES, type StoredBlob } from '../../../core/files/blobs/index.js'
import { isStored, type TransientBlob, type TransientWrite } from '../../../core/files/transient/index.js'
import { writeContent } from '../../blobs/filesystem/index.js'
import { lengthOf, namesIn, putInPlace, readJson } from './files.js'
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

export const lengthIn = async (place: Place): Promise<number> => {
  let length = 0
  for (const name of await blobNamesIn(place)) length += (await blobOf(place, name))?.length ?? 0
  return length
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
    if (replaces) await rm(join(place.bytes, file), { force: true })
    return
  }
  const temporary = join(place.temporary, randomUUID())
  try {
    await writeContent(content, temporary, options)
    await putInPlace(temporary, join(place.bytes, file), { replaces })
  } finally {
    await rm(temporary, { force: true })
  }
  if (replaces) await rm(join(place.stored, file), { force: true })
}

export const openBytes = async (place: Place, name: string): Promise<Readable> => {
  const handle = await open(join(place.bytes, fileName(name)), 'r')
  return handle.createReadStream({ highWaterMark: READ_BUFFER_BYTES })
}
