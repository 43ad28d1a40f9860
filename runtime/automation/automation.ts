import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { Logger } from 'pino'
import type { Principal } from '../../core/access/security/index.js'
import {
  type ChainRegistry,
  chainsOf,
  createChainRegistry,
  scriptsOf,
} from '../../core/automation/chains/index.js'
import { subscribedChain } from '../../core/automation/events/index.js'
import { runChainWithin, type SegmentDependencies } from '../../core/automation/execution/index.js'
import {
  documentValue,
  type OperationServices,
  type Registry,
  type RunTraces,
  VOID,
} from '../../core/automation/language/index.js'
import { operations } from '../../core/automation/operations/index.js'
import type { ConversionQuota } from '../../core/automation/runs/index.js'
import { type BusinessObjects, createBusinessObjects } from '../../core/content/business-objects/index.js'
import { keptRenditions, RENDITION_STORE } from '../../core/content/renditions/index.js'
import {
  type Conversions,
  type ConverterRegistry,
  commandLineOf,
  commandsPoint,
  convertersPoint,
  createConversions,
  createConverterRegistry,
  createTools,
  createWorkbench,
  type SandboxKind,
  sharedConversions,
  type Tools,
} from '../../core/files/conversions/index.js'
import { createMedia, type Media } from '../../core/files/media/index.js'
import type { ContributionDeployments, Contributions } from '../../core/platform/contributions/index.js'
import { fail } from '../../core/platform/errors/index.js'
import { createHttpClient, createHttpRules } from '../../core/platform/http/index.js'
import { createRateLimit } from '../../core/platform/limits/index.js'
import { createScriptEngine } from '../../core/platform/sandbox/scripts/index.js'
import { type CounterHistory, createCounterHistory } from '../../core/platform/telemetry/index.js'
import { createDeployments } from '../configuration/deployments.js'
import { CODE } from '../default-configuration.js'
import type { Platform } from '../platform.js'
import { checkConfiguredStarters } from './chain-starters.js'

/** For one program that reads a picture, a film or a sound without converting it, milliseconds. */
const MEDIA_MS = 120_000

/** What executes operations and conversions in one process, API or worker. */
export type AutomationRuntime = {
  converters: ConverterRegistry
  conversions: Conversions
  media: Media
  chains: ChainRegistry
  businessObjects: BusinessObjects
  deployments: ContributionDeployments
  /** Counters of the process; whoever has its metrics says which they are. */
  counters: CounterHistory
  /**
   * What a segment runs with: the given registry, or the latest that this process knows; on the named
   * repository, or the platform's own. @throws unavailable for a repository that this process is not given.
   */
  segments(registry?: Registry, repository?: string): SegmentDependencies
  close(): Promise<void>
}

/**
 * Builds the execution of a process: the sandbox, the converters, the services that operations call.
 *
 * @param traces of runs, in a process that knows of them.
 * @param conversionQuota of users, where they call for conversions directly.
 */
export const createAutomationRuntime = async (
  platform: Platform,
  { traces, conversionQuota }: { traces?: RunTraces; conversionQuota?: ConversionQuota } = {},
): Promise<AutomationRuntime> => {
  const { settings, logger, blobs, deployed, expressions } = platform
  const tempFolder = join(settings.home, 'tmp')
  const tools = createTools({
    path: settings.toolPath,
    memoryBytes: settings.conversionMemoryBytes,
    fileBytes: settings.conversionFileBytes,
    tempFolder,
    hidden: [CODE, settings.home, ...(settings.config ? [settings.config] : [])],
  })
  const reported = tools.sandbox().then(
    ({ kind }) => reportSandbox(logger, kind),
    (error) => logger.error({ err: error }, 'the sandbox of converters could not be tried'),
  )
  const converters = followingConverters(platform, tools)
  const own = createConversions({
    registry: converters,
    store: blobs,
    tools,
    tempFolder,
    officeInstances: settings.libreOfficeInstances,
    onStep: platform.metrics.conversionEnded,
    allowsUnconfined: settings.allowsUnconfinedConversions,
  })
  const version = () => platform.snapshot().contributions
  const shared = { ...own, convert: sharedConversions(own.convert, { store: blobs, version }) }
  const conversions = limitedBy(conversionQuota, shared)
  const media = limitedMedia(
    conversionQuota,
    createMedia({
      workbench: createWorkbench({
        ...{ store: blobs, tools, tempFolder, timeoutMs: MEDIA_MS },
        allowsUnconfined: settings.allowsUnconfinedConversions,
        commandOf: (name) => {
          const { contributions } = platform.snapshot()
          return commandLines(contributions, deployed.snapshots.configured.contributions).get(name)
        },
      }),
    }),
  )
  const chains = createChainRegistry({
    operations,
    defaults: chainsOf(deployed.snapshots.configured.contributions),
    scripts: scriptsOf(deployed.snapshots.configured.contributions),
    feed: deployed.feed,
  })
  checkConfiguredStarters(deployed.snapshots.configured.contributions, {
    registry: chains.configured,
    repositories: [...platform.repositories.keys()],
  })
  const businessObjects = createBusinessObjects(expressions)
  const env = environmentOf(platform)
  const scripts = createScriptEngine({ env, threads: settings.scriptThreads })
  const counters = createCounterHistory({
    onError: (error) => logger.warn({ err: error }, 'the counters could not be sampled'),
  })
  const services: OperationServices = {
    blobs,
    businessObjects,
    convert: (request) => conversions.convert(request),
    joinPdfs: (request) => conversions.joinPdfs(request),
    media,
    keptRenditions: keptRenditions(() => platform.transientStore(RENDITION_STORE)),
    http: createHttpClient(createHttpRules(settings.httpAllow)),
    repositories: [...platform.repositories.keys()].sort(),
    // The very object that answers to errors look at.
    switches: settings.http,
    recording: { calls: [] },
    traces,
    counters: counters.read,
    mail: settings.mail && { sender: settings.mail.sender },
    limits: {
      fileBytes: settings.http.maxUploadBytes,
      exportFolder: settings.exportFolder,
      openBulkCommands: settings.openBulkCommands,
      openWorkflows: settings.openWorkflows,
      openTasks: settings.openTasks,
    },
    logRate: createRateLimit({ calls: 300, periodMs: 60_000 }),
    log: (level, message, fields) => logger[level](fields ?? {}, message),
    runEnded: platform.metrics.runEnded,
    env,
  }
  platform.eventChains.run = async (reach, { subscription, event, document }) => {
    const registry = chains.latest()
    await runChainWithin({ registry, expressions, scripts, services }, reach, {
      chain: subscribedChain(subscription, registry),
      input: document ? documentValue(document) : VOID,
      params: subscription.work.kind === 'chain' ? subscription.params : {},
      variables: { Event: { type: 'json', value: event } },
    })
  }
  const unitsOf = (name: string) => {
    const units = platform.repositories.get(name)?.units
    // Another process may know it: one that is started with the new setting.
    if (!units)
      throw fail('unavailable', `This process has no repository ${name}: set ARCHIVOLT_REPOSITORIES`)
    return units
  }
  return {
    converters,
    conversions,
    media,
    chains,
    businessObjects,
    deployments: createDeployments(platform, chains),
    counters,
    segments: (registry = chains.latest(), repository = platform.repository) => ({
      units: unitsOf(repository),
      registry,
      expressions,
      scripts,
      services,
    }),
    close: async () => {
      counters.stop()
      scripts.close()
      await reported
      await conversions.close()
    },
  }
}

/** What users request of this process counts for their quota. */
const limitedBy = (quota: ConversionQuota | undefined, conversions: Conversions): Conversions => {
  if (!quota) return conversions
  const counted = <Result>(principal: Principal | undefined, work: () => Promise<Result>) =>
    principal ? quota.within(principal, work) : work()
  return {
    ...conversions,
    convert: (request) => counted(request.principal, () => conversions.convert(request)),
    joinPdfs: (request) => counted(request.principal, () => conversions.joinPdfs(request)),
  }
}

/** The same for what users make of pictures and films. */
const limitedMedia = (quota: ConversionQuota | undefined, media: Media): Media => {
  if (!quota) return media
  const counted =
    <Asked extends { principal: Principal }, Result>(work: (asked: Asked) => Promise<Result>) =>
    (asked: Asked) =>
      quota.within(asked.principal, () => work(asked))
  return {
    ...media,
    comparePictures: counted(media.comparePictures),
    sliceFilm: counted(media.sliceFilm),
    sliceInParts: counted(media.sliceInParts),
    concatFilms: counted(media.concatFilms),
    watermarkFilm: counted(media.watermarkFilm),
    readTags: counted(media.readTags),
    writeTags: counted(media.writeTags),
  }
}

const reportSandbox = (logger: Logger, sandbox: SandboxKind): void => {
  if (sandbox === 'none')
    logger.warn(
      { sandbox },
      'converters run without a sandbox: install bubblewrap, or permit user namespaces',
    )
  else logger.info({ sandbox }, 'converters run in a sandbox')
}

/** What expressions and scripts may know of the server: nothing that is secret or a place on it. */
const environmentOf = ({ settings, repository }: Platform): Readonly<Record<string, string>> => ({
  'archivolt.repository': repository,
  'nuxeo.url': settings.http.publicUrl ?? `http://${settings.http.host}:${settings.http.port}`,
})

/** @param configured the operator's files, whose command lines are trusted. */
const commandLines = (contributions: Contributions, configured: Contributions) => {
  const own = configured.get(commandsPoint)
  return new Map(
    [...contributions.get(commandsPoint)].map(([name, entry]) => [
      name,
      commandLineOf(name, entry, isDeepStrictEqual(own.get(name), entry)),
    ]),
  )
}

/** The converters of the snapshot in force. */
const followingConverters = (platform: Platform, tools: Tools): ConverterRegistry => {
  let known: { contributions: Contributions; registry: ConverterRegistry } | undefined
  const latest = (): ConverterRegistry => {
    const { contributions } = platform.snapshot()
    const { deployed } = platform
    if (known?.contributions !== contributions)
      known = {
        contributions,
        registry: createConverterRegistry(
          contributions.get(convertersPoint),
          tools,
          commandLines(contributions, deployed.snapshots.configured.contributions),
        ),
      }
    return known.registry
  }
  return {
    list: () => latest().list(),
    stepsByName: (...given) => latest().stepsByName(...given),
    stepsByMimeType: (...given) => latest().stepsByMimeType(...given),
    get anywhere() {
      return latest().anywhere
    },
  }
}
