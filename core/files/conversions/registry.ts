import { fail } from '../../platform/errors/index.js'
import { createCatalog } from './catalog.js'
import { type ConverterEntry, isMimeTypeStep } from './converter-schema.js'
import {
  type EngineName,
  type EngineParameter,
  engineParameters,
  engineTools,
  FORMAT_PARAMETER,
} from './engines/engine.js'
import { bestRank } from './mime-match.js'
import { type ConversionStep, expandConverter, routeBetween } from './steps.js'
import { describeTool } from './tools/require-tool.js'
import type { ToolName, Tools } from './tools/tools.js'

export type ConverterStatus = {
  name: string
  sourceMimeTypes: readonly string[]
  destinationMimeType: string | null
  /** What callers may ask of it; it ignores all other parameters. */
  parameters: readonly EngineParameter[]
  isAvailable: boolean
  /** What to install: `soffice (Debian package libreoffice-nogui)`. */
  missing: readonly string[]
}

export type ConverterRegistry = {
  list(): ConverterStatus[]
  /** The steps of a converter for a source of that type. Empty when the source is returned as it is. */
  stepsByName(name: string, sourceMimeType: string): ConversionStep[]
  /** The steps from one type to another. Empty when they are the same and no converter applies. */
  stepsByMimeType(sourceMimeType: string, destinationMimeType: string): ConversionStep[]
}

type OneEngine = { engine: EngineName; destinationMimeType?: string | undefined }

const parametersOf = ({ engine, destinationMimeType }: OneEngine): readonly EngineParameter[] =>
  (engineParameters[engine] ?? []).filter(
    ({ name }) => name !== FORMAT_PARAMETER || destinationMimeType === undefined,
  )

/**
 * The converters of a deployment (blobs-conversions.md §3), by name in order of registration. Mime types are bare and
 * in lower case. A converter whose program is missing is listed as such, and asking for it fails with `badRequest`, as for
 * an unregistered one; types that no converter joins fail with `unsupportedMediaType`.
 */
export const createConverterRegistry = (
  entries: ReadonlyMap<string, ConverterEntry>,
  tools: Pick<Tools, 'find'>,
): ConverterRegistry => {
  const catalog = createCatalog(entries)

  const missingOf = (engine: EngineName): ToolName[] =>
    engineTools[engine].filter((tool) => !tools.find(tool))

  /** The converters with an engine that a converter is, or that its steps name. */
  const enginesOf = (name: string, within: ReadonlySet<string> = new Set()): OneEngine[] => {
    const { engine, destinationMimeType, conversionSteps = [] } = catalog.get(name)
    if (engine) return [{ engine, destinationMimeType }]
    const inner = new Set(within).add(name)
    // A hop by mime type is found when the source is known; until then it requires nothing.
    const named = conversionSteps.filter((step) => !isMimeTypeStep(step) && !inner.has(step))
    return named.flatMap((step) => enginesOf(step, inner))
  }

  const statusOf = (name: string): ConverterStatus => {
    const engines = enginesOf(name)
    const missing = [...new Set(engines.flatMap(({ engine }) => missingOf(engine)))].map(describeTool)
    return {
      name,
      sourceMimeTypes: catalog.sourcesOf(name),
      destinationMimeType: catalog.destinationOf(name) ?? null,
      parameters: [...new Set(engines.flatMap(parametersOf))],
      isAvailable: missing.length === 0,
      missing,
    }
  }

  const requireTools = (steps: ConversionStep[], name: string): ConversionStep[] => {
    const missing = new Set(steps.flatMap(({ engine }) => missingOf(engine)))
    if (missing.size === 0) return steps
    const what = [...missing].map(describeTool).join(', ')
    throw fail('badRequest', `The '${name}' converter is not available: install ${what}`)
  }

  return {
    list: () => catalog.names().map(statusOf),
    stepsByName(name, source) {
      if (!entries.has(name)) throw fail('badRequest', `converter: Converter ${name} is not registered`)
      const isAccepted =
        bestRank(catalog.sourcesOf(name), source) !== null || catalog.destinationOf(name) === source
      if (!isAccepted)
        throw fail('unsupportedMediaType', `${source} mime type not supported by ${name} converter`)
      return requireTools(expandConverter(catalog, { name, source }), name)
    },
    stepsByMimeType(source, destination) {
      const steps = routeBetween(catalog, { source, destination })
      return requireTools(steps, steps[0]?.converter ?? destination)
    },
  }
}
