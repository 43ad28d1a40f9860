import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { withZip, type ZipEntry } from '../../../platform/archives/index.js'
import { fail, isArchivoltError } from '../../../platform/errors/index.js'
import { readExport } from './read-export.js'

const MAX_ENTRIES = 2_000
/** Bytes of all documents together, unpacked. */
const MAX_BYTES = 20 * 1024 * 1024

const textsOf = async (entries: readonly ZipEntry[]): Promise<Map<string, string>> => {
  const documents = entries.filter(({ name }) => name.endsWith('document.xml'))
  if (documents.reduce((bytes, { length }) => bytes + length, 0) > MAX_BYTES)
    throw fail('tooLarge', `The documents of the archive have more than ${MAX_BYTES} bytes`)
  const texts = new Map<string, string>()
  for (const { name, open } of documents) texts.set(name, await text(await open()))
  return texts
}

/**
 * A model from the zip archive that the incumbent exports it in.
 *
 * @param tempFolder where the archive lies while it is read.
 * @throws badRequest for what is no such archive, tooLarge.
 */
export const readExportArchive = async (
  bytes: Uint8Array,
  tempFolder: string,
): Promise<ReturnType<typeof readExport>> => {
  await mkdir(tempFolder, { recursive: true })
  const folder = await mkdtemp(join(tempFolder, 'model-'))
  try {
    const path = join(folder, 'model.zip')
    await writeFile(path, bytes)
    return readExport(await withZip(path, MAX_ENTRIES, textsOf))
  } catch (error) {
    if (isArchivoltError(error)) throw error
    throw fail('badRequest', 'The body is no zip archive', { cause: error })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
