import { suggestion } from '../../platform/contributions/index.js'
import { fail } from '../../platform/errors/index.js'
import { createCatalog } from './catalog.js'
import type { CommandLine } from './command-lines/command-line.js'
import { type ConverterEntry, isMimeTypeStep } from './converter-schema.js'
import {
  COMMAND_PARAMETER,
  type EngineName,
  type EngineParameter,
  engineParameters,
  engineTools,
  FORMAT_PARAMETER,
} from './engines/engine.js'
import { bestRank } from './mime-match.js'
import { type ConversionStep, expandConverter, routeBetween } from './steps.js'
import { describeTool } from './tools/require-tool.js'
import type { Tools } from './tools/tools.js'

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

type Steps = {
  /** The steps of a converter for a source of that type. Empty when the source is returned as it is. */
  stepsByName(name: string, sourceMimeType: string): ConversionStep[]
  /** The steps from one type to another. Empty when they are the same and no converter applies. */
  stepsByMimeType(sourceMimeType: string, destinationMimeType: string): ConversionStep[]
}

export type ConverterRegistry = Steps & {
  list(): ConverterStatus[]
  /** The same steps without a look at which programs are installed here: another process may convert. */
  anywhere: Steps
}

type OneEngine = {
  engine: EngineName
  destinationMimeType?: string | undefined
  command?: string | undefined
}

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
  tools: Pick<Tools, 'find' | 'findProgram'>,
  commands: ReadonlyMap<string, CommandLine> = new Map(),
): ConverterRegistry => {
  const catalog = createCatalog(entries)

  const missingOf = ({ engine, command }: OneEngine): string[] => [
    ...engineTools[engine].filter((tool) => !tools.find(tool)).map(describeTool),
    ...(command === undefined ? [] : missingOfCommand(command)),
  ]

  const missingOfCommand = (name: string): string[] => {
    const command = commands.get(name)
    if (!command) return [`the command line ${name}`]
    const missing = command.stages.filter(({ program }) => !tools.findProgram(program))
    return missing.map(({ program }) => command.directive ?? program)
  }

  const commandOf = (engine: EngineName, parameters: Readonly<Record<string, string>> = {}) =>
    engine === 'video' || engine === 'command' ? parameters[COMMAND_PARAMETER] : undefined

  /** The converters with an engine that a converter is, or that its steps name. */
  const enginesOf = (name: string, within: ReadonlySet<string> = new Set()): OneEngine[] => {
    const { engine, destinationMimeType, conversionSteps = [], parameters } = catalog.get(name)
    if (engine) return [{ engine, destinationMimeType, command: commandOf(engine, parameters) }]
    const inner = new Set(within).add(name)
    // A hop by mime type is found when the source is known; until then it requires nothing.
    const named = conversionSteps.filter((step) => !isMimeTypeStep(step) && !inner.has(step))
    return named.flatMap((step) => enginesOf(step, inner))
  }

  const statusOf = (name: string): ConverterStatus => {
    const engines = enginesOf(name)
    const missing = [...new Set(engines.flatMap(missingOf))]
    return {
      name,
      sourceMimeTypes: catalog.sourcesOf(name),
      destinationMimeType: catalog.destinationOf(name) ?? null,
      parameters: [...new Set(engines.flatMap(parametersOf))],
      isAvailable: missing.length === 0,
      missing,
    }
  }

  const withCommands = (steps: ConversionStep[]): ConversionStep[] =>
    steps.map((step) => {
      const command = commandOf(step.engine, step.parameters)
      return command === undefined ? step : { ...step, command: commands.get(command) }
    })

  /** The steps. @throws badRequest where a program is missing. */
  const requireTools = (steps: ConversionStep[], name: string): ConversionStep[] => {
    const missing = new Set(
      steps.flatMap(({ engine, parameters }) =>
        missingOf({ engine, command: commandOf(engine, parameters) }),
      ),
    )
    if (missing.size === 0) return steps
    throw fail('badRequest', `The '${name}' converter is not available: install ${[...missing].join(', ')}`)
  }

  const anywhere: Steps = {
    stepsByName(name, source) {
      if (!entries.has(name)) {
        const meant = suggestion(name, entries.keys())
        throw fail('badRequest', `converter: Converter ${name} is not registered${meant}`)
      }
      const isAccepted =
        bestRank(catalog.sourcesOf(name), source) !== null || catalog.destinationOf(name) === source
      if (!isAccepted)
        throw fail('unsupportedMediaType', `${source} mime type not supported by ${name} converter`)
      return withCommands(expandConverter(catalog, { name, source }))
    },
    stepsByMimeType: (source, destination) => withCommands(routeBetween(catalog, { source, destination })),
  }

  return {
    list: () => catalog.names().map(statusOf),
    anywhere,
    stepsByName: (name, source) => requireTools(anywhere.stepsByName(name, source), name),
    stepsByMimeType(source, destination) {
      const steps = anywhere.stepsByMimeType(source, destination)
      return requireTools(steps, steps[0]?.converter ?? destination)
    },
  }
}
