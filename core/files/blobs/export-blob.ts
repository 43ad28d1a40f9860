import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, realpath, rename, rm, stat } from 'node:fs/promises'
import { isAbsolute, join, relative, resolve, sep } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { BlobValue } from '../../model/properties/index.js'
import { fail } from '../../platform/errors/index.js'
import type { BlobStore } from './types.js'

const isBelow = (root: string, path: string): boolean => {
  const way = relative(root, path)
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way))
}

/** The folder with all links followed. @throws badRequest when it is not below the root, or is no folder. */
const folderBelow = async (root: string, directory: string): Promise<string> => {
  const refusal = fail('badRequest', `directory: '${directory}' is not below the folder for exports`)
  const wanted = resolve(root, directory)
  if (!isBelow(root, wanted)) throw refusal
  await mkdir(root, { recursive: true })
  const real = await realpath(root)
  // Step by step, so that no folder is created outside through a link.
  let reached = real
  for (const part of relative(root, wanted)
    .split(sep)
    .filter((step) => step !== '')) {
    const next = join(reached, part)
    await mkdir(next).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    })
    reached = await realpath(next)
    if (!(await stat(reached)).isDirectory())
      throw fail('badRequest', `directory: '${directory}' is not a folder`)
    if (!isBelow(real, reached)) throw refusal
  }
  return reached
}

/** Removes folders from a file's name, and characters that no file name may have. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
const plainName = (name: string): string => name.replace(/[/\\\u0000-\u001f]/g, '_').slice(0, 200)

/**
 * Writes a blob as a file of the server; an existing one of that name is replaced atomically.
 *
 * @param directory below `root`, absolute or relative to it; created when it does not exist.
 * @returns the file's path.
 * @throws badRequest for a directory outside the root, or linked to one outside.
 */
export const exportBlob = async (
  blobs: BlobStore,
  blob: BlobValue,
  {
    root,
    directory,
    prefix = '',
    signal,
  }: { root: string; directory: string; prefix?: string | undefined; signal?: AbortSignal },
): Promise<string> => {
  const folder = await folderBelow(root, directory)
  const path = join(folder, plainName(`${prefix}${blob.name || blob.digest}`))
  const temporary = join(folder, `.${randomUUID()}.tmp`)
  try {
    await pipeline(await blobs.open(blob), createWriteStream(temporary, { flags: 'wx' }), { signal })
    await rename(temporary, path)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
  return path
}
