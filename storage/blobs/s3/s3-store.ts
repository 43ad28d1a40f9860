import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { BlobRef, BlobStat, BlobStore } from '../../../core/files/blobs/index.js'
import { blobKey, digestAlgorithmOf } from '../../../core/model/properties/index.js'
import { fail } from '../../../core/platform/errors/index.js'
import type { S3Settings } from '../../../core/platform/settings/index.js'
import { removeIdle, writeHashed } from '../filesystem/index.js'
import { createBucket, isRangeRefused } from './bucket.js'
import { resumedRead } from './resumed-read.js'

const DATA = 'data/'

const nameOf = (key: string): string => `${DATA}${key.slice(0, 2)}/${key.slice(2, 4)}/${key}`

/**
 * Blobs as objects of a bucket of S3, or of a server that speaks its protocol. What is written is hashed while it goes
 * to a file of this machine, since its key is known at its end alone; bytes that the bucket has are not sent again.
 *
 * @param options.folder for files on their way, on this machine; created on demand.
 */
export const createS3BlobStore = ({ folder, ...settings }: S3Settings & { folder: string }): BlobStore => {
  const bucket = createBucket(settings)

  /** The name of an object; undefined for what is no key, and so no name either. */
  const nameOfRef = (ref: BlobRef): string | undefined => {
    const key = blobKey(ref)
    return digestAlgorithmOf(key) ? nameOf(key) : undefined
  }
  const notFound = (ref: BlobRef) => fail('notFound', `Blob ${JSON.stringify(ref.digest)} not found`)

  const withTemporary = async <Result>(use: (path: string) => Promise<Result>): Promise<Result> => {
    const path = join(folder, randomUUID())
    await mkdir(folder, { recursive: true })
    try {
      return await use(path)
    } finally {
      await rm(path, { force: true })
    }
  }

  const stat = async (ref: BlobRef): Promise<BlobStat | null> => {
    const name = nameOfRef(ref)
    const length = name === undefined ? null : await bucket.length(name)
    return length === null ? null : { key: blobKey(ref), length }
  }

  const open = async (ref: BlobRef, range?: { start: number; end: number }): Promise<Readable> => {
    const refused = () =>
      fail('badRequest', `range: bytes ${range?.start}-${range?.end} are not inside the blob`)
    if (range && (range.start < 0 || range.start > range.end)) throw refused()
    const name = nameOfRef(ref)
    const found =
      name === undefined
        ? null
        : await bucket.get(name, range).catch((error) => {
            throw isRangeRefused(error) ? refused() : error
          })
    if (!found) throw notFound(ref)
    if (name !== undefined && (!range || range.end < found.total)) {
      const { start, end } = range ?? { start: 0, end: found.total - 1 }
      return resumedRead(found.body, async (offset) => {
        const rest = await bucket.get(name, { start: start + offset, end })
        if (!rest) throw notFound(ref)
        return rest.body
      })
    }
    found.body.destroy()
    throw refused()
  }

  return {
    async check() {
      const probe = `probe-${randomUUID()}`
      await bucket.put(probe, '')
      await bucket.remove(probe)
    },

    write: (content, options = {}) =>
      withTemporary(async (path) => {
        const stored = await writeHashed(content, path, options)
        await options.accounting?.confirm(stored)
        const name = nameOf(stored.key)
        const isThere = async () => (await bucket.length(name)) === stored.length
        if (await isThere()) return stored
        try {
          await bucket.putFile(name, path, options.signal)
        } catch (error) {
          // The answer to its last request may be all that was lost: asked again, a server does not know the parts.
          if (options.signal?.aborted || !(await isThere())) throw error
        }
        return stored
      }),

    open,
    stat,
    has: async (ref) => (await stat(ref)) !== null,

    ...(settings.presignedSeconds > 0 && {
      addressOf: async (ref, headers) => {
        const name = nameOfRef(ref)
        return name === undefined ? undefined : bucket.signedUrl(name, headers, settings.presignedSeconds)
      },
    }),

    withFile: (ref, use) =>
      withTemporary(async (path) => {
        await pipeline(await open(ref), createWriteStream(path))
        return use(path)
      }),

    async delete(key) {
      const ref = { key, digest: key }
      if (!(await stat(ref))) return false
      await bucket.remove(nameOf(key))
      return true
    },

    async *list() {
      for await (const { name, length } of bucket.list(DATA)) {
        const key = name.slice(name.lastIndexOf('/') + 1)
        if (digestAlgorithmOf(key) && nameOf(key) === name) yield { key, length }
      }
    },

    removeUnfinished: async (idleMs) =>
      (await removeIdle(folder, idleMs)) + (await bucket.abortUploads(idleMs)),
  }
}
