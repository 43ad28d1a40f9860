import { join } from 'node:path'
import type { OperationServices, Registry, SegmentDependencies } from '../../core/automation/index.js'
import {
  adaptersPoint,
  type BusinessObjects,
  createBusinessObjects,
} from '../../core/business-objects/index.js'
import {
  type ChainDeployments,
  type ChainRegistry,
  chainsOf,
  createChainDeployments,
  createChainRegistry,
} from '../../core/chains/index.js'
import {
  type Conversions,
  type ConverterRegistry,
  convertersPoint,
  createConversions,
  createConverterRegistry,
  createTools,
} from '../../core/conversions/index.js'
import { fail } from '../../core/errors/index.js'
import { createExpressionEngine } from '../../core/expressions/index.js'
import { operations } from '../../core/operations/index.js'
import { createContributionStore } from '../postgres/index.js'
import type { Platform } from './platform.js'

/** What executes operations and conversions in one process, API or worker. */
export type AutomationRuntime = {
  converters: ConverterRegistry
  conversions: Conversions
  chains: ChainRegistry
  businessObjects: BusinessObjects
  deployments: ChainDeployments
  /**
   * What a segment runs with: the given registry, or the latest that this process knows; on the named
   * repository, or the platform's own. @throws unavailable for a repository that this process is not given.
   */
  segments(registry?: Registry, repository?: string): Promise<SegmentDependencies>
  close(): Promise<void>
}

/** Builds the execution of a process: the sandbox, the converters, the services that operations call. */
export const createAutomationRuntime = async (platform: Platform): Promise<AutomationRuntime> => {
  const { settings, logger, blobs, contributions } = platform
  const tools = createTools({ path: settings.toolPath })
  const converters = createConverterRegistry(contributions.get(convertersPoint), tools)
  const conversions = createConversions({
    registry: converters,
    store: blobs,
    tools,
    tempFolder: join(settings.home, 'tmp'),
    officeInstances: settings.libreOfficeInstances,
  })
  const expressions = await createExpressionEngine()
  const store = createContributionStore(platform.database)
  const chains = await createChainRegistry({
    operations,
    defaults: chainsOf(contributions),
    store,
    onError: (error) => logger.error(error, 'deployed chains could not be read'),
  })
  const businessObjects = createBusinessObjects({
    contents: () => platform.contributions.get(adaptersPoint),
    expressions,
  })
  const services: OperationServices = {
    blobs,
    businessObjects,
    convert: (request) => conversions.convert(request),
    log: (level, message, fields) => logger[level](fields ?? {}, message),
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
    chains,
    businessObjects,
    deployments: createChainDeployments({ store, registry: chains }),
    segments: async (registry = chains.latest(), repository = platform.repository) => ({
      units: unitsOf(repository),
      registry,
      expressions,
      services,
    }),
    close: async () => {
      await chains.close()
      await conversions.close()
      expressions.dispose()
    },
  }
}
