import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { basename } from 'node:path'
import { type BlobStore, createBlobValue } from '../../files/blobs/index.js'
import type { BlobValue } from '../../model/properties/index.js'
import { fail } from '../../platform/errors/index.js'

/** What reading files needs to know. `maxBytes`: of one file. */
export type FileReading = { blobs: Pick<BlobStore, 'write'>; maxBytes: number; signal: AbortSignal }

/** Lends a regular file, and no link. @throws badRequest when it is not there, or cannot be read. */
export const withServerFile = async <Result>(
  path: string,
  use: (file: FileHandle) => Promise<Result>,
): Promise<Result> => {
  // A pipe without a writer would be waited for.
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK
  const file = await open(path, flags).catch((cause: NodeJS.ErrnoException) => {
    throw fail('badRequest', `${basename(path)} cannot be read: ${cause.code}`, { cause })
  })
  try {
    if (!(await file.stat()).isFile()) throw fail('badRequest', `${basename(path)} is no file`)
    return await use(file)
  } finally {
    await file.close()
  }
}

/** Stores a file of the server, under its own name or another one. @throws badRequest, tooLarge. */
export const storeServerFile = (
  path: string,
  { blobs, maxBytes, signal }: FileReading,
  name = basename(path),
): Promise<BlobValue> =>
  withServerFile(path, async (file) => {
    const content = file.createReadStream({ autoClose: false })
    return createBlobValue({ stored: await blobs.write(content, { signal, maxLength: maxBytes }), name })
  })
