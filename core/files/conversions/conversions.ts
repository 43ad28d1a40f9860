import { mkdir, rename } from 'node:fs/promises'
import { join } from 'node:path'
import type { Principal } from '../../access/security/index.js'
import type { BlobValue } from '../../model/properties/index.js'
import type { Outcome } from '../../platform/telemetry/index.js'
import { type BlobOwner, type BlobStore, createBlobValue, fileContent } from '../blobs/index.js'
import { createEngines, type TimeLimits } from './engines/create-engines.js'
import type { EngineOutput, Engines } from './engines/engine.js'
import { withoutFixed } from './engines/videos/video-parameters.js'
import { joinPdfs, type PdfJoin } from './join-pdfs.js'
import { createOfficePool } from './libreoffice/office-pool.js'
import { createPicturePool } from './pictures/picture-pool.js'
import { makeViews, type ViewFile } from './pictures/views.js'
import type { ConverterRegistry } from './registry.js'
import { type ConversionTarget, planConversion } from './request.js'
import { resultName } from './result-name.js'
import { isShortConversion } from './short.js'
import type { ConversionStep } from './steps.js'
import { copyPrivately, requireFile } from './temp-folder.js'
import type { Tools } from './tools/tools.js'
import { createWorkFolders } from './work-folders.js'

export type ConversionRequest = ConversionTarget & {
  source: BlobValue
  /** The caller's parameters; they win over those of the configuration, and each engine reads the ones it knows. */
  parameters?: Readonly<Record<string, string>>
  /** Who wants it; absent: the caller has counted it. */
  principal?: Principal
  /** Kills the running programs when aborted. */
  signal?: AbortSignal
  /** Whose the result is, and whose share of the processes it takes; absent: the principal's. */
  owner?: BlobOwner | undefined
  /** Whose share of the processes it takes, where that is somebody else's. */
  turnOf?: BlobOwner | undefined
  /** From 0 to 1. */
  onProgress?: (fraction: number) => void
}

export type Conversions = {
  /**
   * Converts a stored blob and stores the result. Fails with `badRequest` (request, no such converter),
   * `unsupportedMediaType` (no route, or it needs a sandbox), `conversionFailed` (a file that cannot be converted),
   * `unavailable` (program not installed), `timeout`, `notFound` (source not in the store); throws the signal's reason
   * when aborted.
   */
  convert(request: ConversionRequest): Promise<BlobValue>
  /** Whether a conversion is expected to take seconds. Fails as `convert` does for what cannot be asked for. */
  isShort(request: Pick<ConversionRequest, 'source' | keyof ConversionTarget>): boolean
  /** Views of a picture as JPEG, in the order of their sizes, stored. Fails as `convert` does. */
  pictureViews(request: PictureViewsRequest): Promise<PictureView[]>
  /** Joins PDFs, in order, into a new one. Fails as `convert` does, with `badRequest` for a file that is no PDF. */
  joinPdfs(request: PdfJoin): Promise<BlobValue>
  /** Ends the programs that are kept warm, and conversions that wait for one. */
  close(): Promise<void>
}

/** @property maxSizes pixels of the longer side of each; undefined: as large as the picture. */
export type PictureViewsRequest = Pick<ConversionRequest, 'source' | 'owner' | 'turnOf' | 'signal'> & {
  maxSizes: readonly (number | undefined)[]
}

export type PictureView = Pick<ViewFile, 'width' | 'height' | 'colorSpace'> & { blob: BlobValue }

export type ConversionsOptions = Partial<TimeLimits> & {
  registry: ConverterRegistry
  store: BlobStore
  tools: Tools
  /**
   * Holds a private folder for each conversion. On a disk with space for results, and not shared with other machines
   * or containers: at a start, folders of killed processes of this machine are removed.
   */
  tempFolder: string
  /** LibreOffice processes kept warm; 1 gave 17 one-page PDFs a second on 2 cores, 2 gave 45. Default 2. */
  officeInstances?: number
  /** Called with each step that has ended. */
  onStep?: (step: { converter: string; outcome: Outcome; seconds: number }) => void
  /** Conversions after which a LibreOffice is replaced. Default 200. */
  officeRecycleAfter?: number
  /** Whether files that cannot be sanitised are converted where the system gives no sandbox. Default false. */
  allowsUnconfined?: boolean
}

/** The conversions of a worker. Programs are started when they are first needed. */
export const createConversions = (options: ConversionsOptions): Conversions => {
  const { registry, store, tools, tempFolder, timeoutMs = 120_000, videoTimeoutMs = 3_600_000 } = options
  const office = createOfficePool({
    tools,
    tempFolder,
    timeoutMs,
    startTimeoutMs: 60_000,
    instances: options.officeInstances ?? 2,
    recycleAfter: options.officeRecycleAfter ?? 200,
  })
  const pictures = createPicturePool({ tools, tempFolder, timeoutMs })
  const { allowsUnconfined = false } = options
  const engines = createEngines({
    tools,
    office: { pool: office, tools, allowsUnconfined },
    pictures,
    timeoutMs,
    videoTimeoutMs,
  })
  const inFolder = createWorkFolders(tempFolder)

  return {
    async convert(request) {
      const { source, signal, principal, owner = principal } = request
      const steps = planConversion(registry, source, request)
      if (steps.length === 0) return source
      return inFolder(async (folder) => {
        const input = join(folder, 'source')
        await store.withFile(source, (path) => copyPrivately(path, input))
        const { onStep } = options
        const { path, mimeType, encoding, extension } = await runSteps({
          engines,
          steps,
          input,
          folder,
          request,
          onStep,
        })
        const stored = await store.write(fileContent(path), { signal, owner })
        return createBlobValue({
          stored,
          name: resultName(source.name, mimeType, extension),
          mimeType,
          encoding,
        })
      })
    },
    isShort: (request) => isShortConversion(registry, request),
    pictureViews: ({ source, maxSizes, owner, turnOf = owner, signal }) =>
      inFolder(async (folder) => {
        const input = join(folder, 'source')
        await store.withFile(source, (path) => copyPrivately(path, input))
        const mimeType = source['mime-type'] ?? ''
        const views = await measured(
          makeViews(
            {
              ...{ input, folder, mimeType, encoding: source.encoding ?? null },
              ...{ maxSizes, owner: turnOf, signal },
            },
            { tools, timeoutMs, pool: pictures },
          ),
          { converter: 'pictureViews', signal, onStep: options.onStep },
        )
        const stored: PictureView[] = []
        for (const { path, ...view } of views) {
          await requireFile(path)
          const content = await store.write(fileContent(path), { signal, owner })
          const name = resultName(source.name, 'image/jpeg')
          stored.push({ ...view, blob: createBlobValue({ stored: content, name, mimeType: 'image/jpeg' }) })
        }
        return stored
      }),
    joinPdfs: (request) => inFolder((folder) => joinPdfs(request, { store, tools, folder, timeoutMs })),
    close: async () => {
      await Promise.all([office.close(), pictures.close()])
    },
  }
}

type Run = {
  engines: Engines
  steps: readonly ConversionStep[]
  input: string
  folder: string
  request: ConversionRequest
} & Pick<ConversionsOptions, 'onStep'>

const measured = async <Output>(
  run: Promise<Output>,
  {
    converter,
    signal,
    onStep,
  }: { converter: string } & Pick<Run, 'onStep'> & Pick<ConversionRequest, 'signal'>,
): Promise<Output> => {
  const startedAt = performance.now()
  let outcome: Outcome = 'failed'
  try {
    const output = await run
    outcome = 'completed'
    return output
  } catch (error) {
    if (signal?.aborted) outcome = 'cancelled'
    throw error
  } finally {
    onStep?.({ converter, outcome, seconds: (performance.now() - startedAt) / 1000 })
  }
}

const runSteps = async ({ engines, steps, input, folder, request, onStep }: Run): Promise<EngineOutput> => {
  const { source, signal, onProgress, owner = request.principal } = request
  let reached: EngineOutput = {
    path: input,
    mimeType: source['mime-type'] ?? '',
    encoding: source.encoding ?? undefined,
  }
  for (const [index, step] of steps.entries()) {
    const stepFolder = join(folder, String(index))
    await mkdir(stepFolder)
    const own = join(stepFolder, 'input')
    await rename(reached.path, own)
    const run = engines[step.engine]({
      input: own,
      sourceMimeType: step.sourceMimeType,
      sourceEncoding: reached.encoding ?? null,
      destinationMimeType: step.destinationMimeType,
      folder: stepFolder,
      parameters: { ...step.parameters, ...withoutFixed(request.parameters ?? {}) },
      command: step.command,
      owner: request.turnOf ?? owner,
      signal,
      onProgress: (fraction) => onProgress?.((index + fraction) / steps.length),
    })
    reached = await measured(run, { converter: step.converter, signal, onStep })
    await requireFile(reached.path)
  }
  onProgress?.(1)
  return reached
}
