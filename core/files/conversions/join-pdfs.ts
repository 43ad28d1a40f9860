import { join } from 'node:path'
import type { Principal } from '../../access/security/index.js'
import type { BlobValue } from '../../model/properties/index.js'
import { fail } from '../../platform/errors/index.js'
import { type BlobStore, bareMimeType, createBlobValue, fileContent } from '../blobs/index.js'
import { copyPrivately, requireFile } from './temp-folder.js'
import { requireTool } from './tools/require-tool.js'
import { runTool } from './tools/run-tool.js'
import type { Tools } from './tools/tools.js'

const PDF = 'application/pdf'

export type PdfJoin = {
  sources: readonly BlobValue[]
  name: string
  /** Who wants it, and whose the result is. */
  principal?: Principal
  signal?: AbortSignal
}

const requirePdf = (source: BlobValue): void => {
  if (bareMimeType(source['mime-type'] ?? '') !== PDF)
    throw fail('badRequest', `${source.name ?? source.digest} is not a PDF but ${source['mime-type']}`)
}

/** Copies of the files as `0`, `1` and so on. */
const copyAll = async (
  store: BlobStore,
  sources: readonly BlobValue[],
  folder: string,
): Promise<readonly string[]> => {
  const paths = sources.map((_, index) => join(folder, String(index)))
  for (const [index, source] of sources.entries())
    await store.withFile(source, (path) => copyPrivately(path, paths[index]!))
  return paths
}

/**
 * Joins PDFs, in order, into a new one. Fails with `badRequest` for another type, `conversionFailed` for a PDF that
 * cannot be read.
 */
export const joinPdfs = async (
  { sources, name, signal, principal }: PdfJoin,
  { store, tools, folder, timeoutMs }: { store: BlobStore; tools: Tools; folder: string; timeoutMs: number },
): Promise<BlobValue> => {
  for (const source of sources) requirePdf(source)
  const [only] = sources
  if (only && sources.length === 1) return { ...only, name }
  const command = requireTool(tools, 'pdfunite')
  const path = join(folder, 'joined.pdf')
  const args = [...(await copyAll(store, sources, folder)), path]
  await runTool({ command, args, folder, tools, timeoutMs, signal })
  await requireFile(path)
  const stored = await store.write(fileContent(path), { signal, owner: principal })
  return createBlobValue({ stored, name, mimeType: PDF })
}
