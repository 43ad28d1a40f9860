import type { Catalog } from './catalog.js'

/** One converter on the way, and the type that it is given. */
export type Hop = { name: string; source: string; destination: string }

/** Converters on one way at most; each costs a process and some quality. */
const MAX_HOPS = 4

/** Of several ways of the same length, the one over this type is taken (blobs-conversions.md §3). */
const PREFERRED = 'text/html'

const hopsFrom = (catalog: Catalog, source: string, except: ReadonlySet<string>): Hop[] =>
  catalog
    .destinationsFrom(source, except)
    .sort((a, b) => Number(b === PREFERRED) - Number(a === PREFERRED))
    .flatMap((destination) => {
      const name = catalog.lookUp({ source, destination, except })
      return name === null ? [] : [{ name, source, destination }]
    })

/**
 * The fewest converters that lead from one type to another, breadth first; null when none do. Converters for any type
 * (`*`) are no part of a way: they look for one themselves.
 */
export const shortestRoute = (
  catalog: Catalog,
  { source, destination, except }: { source: string; destination: string; except: ReadonlySet<string> },
): Hop[] | null => {
  const seen = new Set([source])
  let ways: Hop[][] = [[]]
  for (let hops = 0; hops < MAX_HOPS && ways.length > 0; hops++) {
    const longer: Hop[][] = []
    for (const way of ways)
      for (const hop of hopsFrom(catalog, way.at(-1)?.destination ?? source, except)) {
        if (hop.destination === destination) return [...way, hop]
        if (seen.has(hop.destination)) continue
        seen.add(hop.destination)
        longer.push([...way, hop])
      }
    ways = longer
  }
  return null
}
