import type { ScriptNames } from '../../../platform/sandbox/scripts/index.js'
import type { Registry } from '../operations/registry.js'

const known = new WeakMap<Registry, ScriptNames>()

/** As an id is written in a script: what no identifier may hold is `_` (reference: automation.md §10). */
export const scriptName = (id: string): string => id.replace(/[ \-()]/g, '_')

type Named = { id: string; aliases?: readonly string[] }

const read = (callables: readonly Named[]): ScriptNames => {
  const families = new Map<string, [string, string][]>()
  const flat = new Map<string, string>()
  for (const { id, aliases = [] } of callables)
    for (const name of [id, ...aliases]) {
      const [first = '', member, further] = scriptName(name).split('.')
      if (further !== undefined) continue
      if (member === undefined) flat.set(first, name)
      else families.set(first, [...(families.get(first) ?? []), [member, name]])
    }
  return { families, flat }
}

/**
 * What scripts can call: operations and chains whose names have one dot at most.
 *
 * @param carried what a run carries: it may be known to nobody else any more, or not yet.
 */
export const scriptNamesOf = (registry: Registry, carried: readonly Named[] = []): ScriptNames => {
  const callables = [...registry.chains, ...registry.operations]
  if (carried.some(({ id }) => !registry.find(id))) return read([...callables, ...carried])
  const names = known.get(registry) ?? read(callables)
  known.set(registry, names)
  return names
}
