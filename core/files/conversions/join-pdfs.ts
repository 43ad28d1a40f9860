import { join } from 'node:path'
import type { BlobValue } from '../../model/properties/index.js'
import { fail } from '../../platform/errors/index.js'
import { type BlobOwner, type BlobStore, bareMimeType, createBlobValue, fileContent } from '../blobs/index.js'
import { requireTool } from './tools/require-tool.js'
import { runTool } from './tools/run-tool.js'
import type { Tools } from './tools/tools.js'

const PDF = 'application/pdf'

export type PdfJoin = {
  sources: readonly BlobValue[]
  name: string
  signal?: AbortSignal
  owner?: BlobOwner | undefined
}

const requirePdf = (source: BlobValue): void => {
  if (bareMimeType(source['mime-type'] ?? '') !== PDF)
    throw fail('badRequest', `${source.name ?? source.digest} is not a PDF but ${source['mime-type']}`)
}

/** Opens several blobs as local files at once. */
const withFiles = <Result>(
  store: BlobStore,
  sources: readonly BlobValue[],
  use: (paths: readonly string[]) => Promise<Result>,
): Promise<Result> => {
  const [first, ...rest] = sources
  if (!first) return use([])
  return store.withFile(first, (path) => withFiles(store, rest, (paths) => use([path, ...paths])))
}

/**
 * Joins PDFs, in order, into a new one. Fails with `badRequest` for another type, `operationFailed` for a PDF that
 * cannot be read.
 */
export const joinPdfs = async (
  { sources, name, signal, owner }: PdfJoin,
  { store, tools, folder, timeoutMs }: { store: BlobStore; tools: Tools; folder: string; timeoutMs: number },
): Promise<BlobValue> => {
  for (const source of sources) requirePdf(source)
  const [only] = sources
  if (only && sources.length === 1) return { ...only, name }
  const command = requireTool(tools, 'pdfunite')
  const path = join(folder, 'joined.pdf')
  await withFiles(store, sources, (paths) =>
    runTool({ command, args: [...paths, path], folder, path: tools.path, timeoutMs, signal }),
  )
  const stored = await store.write(fileContent(path), { signal, owner })
  return createBlobValue({ stored, name, mimeType: PDF })
}
