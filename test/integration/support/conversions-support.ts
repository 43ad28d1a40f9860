import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { type BlobStore, createBlobValue } from '../../../core/files/blobs/index.js'
import {
  type Conversions,
  type ConversionsOptions,
  type ConverterRegistry,
  commandLineOf,
  commandsPoint,
  convertersPoint,
  createConversions,
  createConverterRegistry,
  createTools,
  type ToolsOptions,
} from '../../../core/files/conversions/index.js'
import type { BlobValue } from '../../../core/model/properties/index.js'
import { type ContributionFile, mergeContributions } from '../../../core/platform/contributions/index.js'
import { createFileBlobStore } from '../../../storage/blobs/filesystem/index.js'

export const run = promisify(execFile)

export type Process = { id: number; commandLine: string }

export type Workshop = {
  store: BlobStore
  registry: ConverterRegistry
  conversions: Conversions
  tempFolder: string
  /** Stores bytes as a blob. */
  blob(name: string, content: string | Uint8Array, encoding?: string): Promise<BlobValue>
  read(blob: BlobValue): Promise<Buffer>
  /** Lends a local file of the blob to a program. */
  withFile<T>(blob: BlobValue, use: (path: string) => Promise<T>): Promise<T>
  /** Processes that work in our folders. */
  processes(): Promise<Process[]>
  close(): Promise<void>
}

/** Contributions beside the product's own, and whether command lines stand in files of the operator (default). */
type Contributed = { contributed?: readonly ContributionFile[]; isTrusted?: boolean }

/** The default converters with the real programs, in folders of their own. */
export const openWorkshop = async (
  options: Partial<ConversionsOptions> & Partial<ToolsOptions> & Contributed = {},
): Promise<Workshop> => {
  const folder = await mkdtemp(join(tmpdir(), 'archivolt-conversions-'))
  const tempFolder = join(folder, 'tmp')
  const names = ['converters.yaml', 'commands.yaml']
  const own = await Promise.all(
    names.map(async (name) => {
      const file = join(import.meta.dirname, '../../../config', name)
      return { file, text: await readFile(file, 'utf8') }
    }),
  )
  const points = [convertersPoint, commandsPoint]
  const contributions = mergeContributions([...own, ...(options.contributed ?? [])], points)
  const commands = [...contributions.get(commandsPoint)].map(
    ([name, entry]) => [name, commandLineOf(name, entry, options.isTrusted ?? true)] as const,
  )
  const tools = createTools({ path: process.env.PATH ?? '', ...options })
  const registry = createConverterRegistry(contributions.get(convertersPoint), tools, new Map(commands))
  const store = createFileBlobStore({ folder: join(folder, 'blobs') })
  const conversions = createConversions({ registry, store, tools, tempFolder, ...options })
  return {
    store,
    registry,
    conversions,
    tempFolder,
    async blob(name, content, encoding) {
      return createBlobValue({ stored: await store.write(Buffer.from(content)), name, encoding })
    },
    read: async (blob) => buffer(await store.open(blob)),
    withFile: (blob, use) => store.withFile(blob, use),
    processes: () => processesNaming(folder),
    async close() {
      await conversions.close()
      await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 })
    },
  }
}

/** Text of a stored PDF, by pdftotext. */
export const pdfText = (workshop: Workshop, pdf: BlobValue): Promise<string> =>
  workshop.withFile(pdf, async (path) => (await run('pdftotext', [path, '-'])).stdout)

/** Processes with a text in their command line. */
export const processesNaming = async (text: string): Promise<Process[]> => {
  const ids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number)
  const processes = await Promise.all(
    ids.map(async (id) => {
      // A process may end between the listing and the reading.
      const commandLine = await readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => '')
      return { id, commandLine: commandLine.replaceAll('\0', ' ') }
    }),
  )
  return processes.filter(({ commandLine }) => commandLine.includes(text))
}
