import { fail } from '../../platform/errors/index.js'
import type { Catalog } from './catalog.js'
import type { CommandLine } from './command-lines/command-line.js'
import { isMimeTypeStep } from './converter-schema.js'
import type { EngineName } from './engines/engine.js'
import { shortestRoute } from './routes.js'

/** One run of one engine. A conversion is a list of them, each taking the result of the one before. */
export type ConversionStep = {
  converter: string
  engine: EngineName
  sourceMimeType: string
  destinationMimeType?: string
  /** Of the configuration. */
  parameters: Readonly<Record<string, string>>
  /** What its parameter `CommandLineName` names. */
  command?: CommandLine | undefined
}

type Route = { source: string; destination: string }

/** The chains that a converter is looked up in, and the parameters that they pass to all their steps. */
type Chain = {
  within: ReadonlySet<string>
  parameters: Readonly<Record<string, string>>
  /** What the caller asked for, which a refusal names. */
  wanted?: Route
}

const outermost: Chain = { within: new Set(), parameters: {} }

/** The steps of a named converter. Empty when the source is returned as it is. */
export const expandConverter = (
  catalog: Catalog,
  { name, source, chain = outermost }: { name: string; source: string; chain?: Chain },
): ConversionStep[] => {
  const { engine, bypassIfSameMimeType, conversionSteps = [], ...entry } = catalog.get(name)
  if (bypassIfSameMimeType && catalog.destinationOf(name) === source) return []
  const parameters = { ...entry.parameters, ...chain.parameters }
  if (engine) {
    const { destinationMimeType } = entry
    return [{ converter: name, engine, sourceMimeType: source, destinationMimeType, parameters }]
  }
  if (chain.within.has(name)) throw fail('operationFailed', `Converter ${name} is a step of itself`)
  const target = catalog.destinationOf(name)
  const wanted = chain.wanted ?? (target === undefined ? undefined : { source, destination: target })
  const inner = { within: new Set(chain.within).add(name), parameters, ...(wanted && { wanted }) }
  const steps: ConversionStep[] = []
  for (const step of conversionSteps) {
    const reached = steps.at(-1)?.destinationMimeType ?? source
    const next = isMimeTypeStep(step)
      ? routeBetween(catalog, { source: reached, destination: step, chain: inner })
      : expandConverter(catalog, { name: step, source: reached, chain: inner })
    steps.push(...next)
  }
  return steps
}

/** The steps from one mime type to another: one converter, else the shortest chain of them. */
export const routeBetween = (
  catalog: Catalog,
  { source, destination, chain: outer = outermost }: Route & { chain?: Chain },
): ConversionStep[] => {
  const wanted = outer.wanted ?? { source, destination }
  const chain = { ...outer, wanted }
  const except = chain.within
  const direct = catalog.lookUp({ source, destination, except })
  if (direct) return expandConverter(catalog, { name: direct, source, chain })
  if (source === destination) return []
  const route = shortestRoute(catalog, { source, destination, except })
  if (!route)
    throw fail(
      'unsupportedMediaType',
      `No converters available to convert from ${wanted.source} to ${wanted.destination}.`,
    )
  return route.flatMap((hop) => expandConverter(catalog, { name: hop.name, source: hop.source, chain }))
}
