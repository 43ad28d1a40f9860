import { fail } from '../../platform/errors/index.js'
import { type ConverterEntry, isMimeTypeStep } from './converter-schema.js'
import { ANY_TYPE, bestRank } from './mime-match.js'

/** The registered converters, as they are looked up. */
export type Catalog = {
  /** In order of registration. */
  names(): string[]
  /** Fails with `operationFailed` for a name that nobody registered. */
  get(name: string): ConverterEntry
  /** Patterns; those of its first step for a chain that has none of its own. */
  sourcesOf(name: string): readonly string[]
  /** That of its last step for a chain that has none of its own; undefined where parameters decide. */
  destinationOf(name: string): string | undefined
  /** Types that converters lead to from one; those for any type (`*`) are left out. */
  destinationsFrom(source: string, except: ReadonlySet<string>): string[]
  /** The converter for two types: the closest source pattern, then the last registered; none of `except`. */
  lookUp(types: { source: string; destination: string; except: ReadonlySet<string> }): string | null
}

export const createCatalog = (entries: ReadonlyMap<string, ConverterEntry>): Catalog => {
  const get = (name: string): ConverterEntry => {
    const entry = entries.get(name)
    if (!entry) throw fail('operationFailed', `Converter ${name} is not registered`)
    return entry
  }

  const sourcesOf = (name: string, seen: ReadonlySet<string> = new Set()): readonly string[] => {
    const { sourceMimeTypes, conversionSteps } = get(name)
    const first = conversionSteps?.[0]
    if (sourceMimeTypes || !first || isMimeTypeStep(first) || seen.has(first)) return sourceMimeTypes ?? ['*']
    return sourcesOf(first, new Set(seen).add(first))
  }

  const destinationOf = (name: string, seen: ReadonlySet<string> = new Set()): string | undefined => {
    const { destinationMimeType, conversionSteps } = get(name)
    const last = conversionSteps?.at(-1)
    if (destinationMimeType || !last || seen.has(last)) return destinationMimeType
    return isMimeTypeStep(last) ? last : destinationOf(last, new Set(seen).add(last))
  }

  return {
    names: () => [...entries.keys()],
    get,
    sourcesOf: (name) => sourcesOf(name),
    destinationOf: (name) => destinationOf(name),
    destinationsFrom(source, except) {
      const found = [...entries.keys()].flatMap((name) => {
        const rank = except.has(name) ? null : bestRank(sourcesOf(name), source)
        const destination = destinationOf(name)
        return rank === null || rank === ANY_TYPE || destination === undefined ? [] : [destination]
      })
      return [...new Set(found)]
    },
    lookUp({ source, destination, except }) {
      const ranked = [...entries.keys()].flatMap((name) => {
        if (except.has(name) || destinationOf(name) !== destination) return []
        const rank = bestRank(sourcesOf(name), source)
        return rank === null ? [] : [{ name, rank }]
      })
      // The sort is stable, so reversing first leaves the last registered in front of its equals.
      return ranked.reverse().sort((a, b) => a.rank - b.rank)[0]?.name ?? null
    },
  }
}
