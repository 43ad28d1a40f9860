import type { ScriptNames } from '../scripting/index.js'
import type { Registry } from './registry.js'

const known = new WeakMap<Registry, ScriptNames>()

/** As an id is written in a script: what no identifier may hold is `_` (automation.md §10). */
export const scriptName = (id: string): string => id.replace(/[ \-()]/g, '_')

const read = (registry: Registry): ScriptNames => {
  const families = new Map<string, [string, string][]>()
  const flat = new Map<string, string>()
  for (const { id, aliases = [] } of [...registry.chains, ...registry.operations])
    for (const name of [id, ...aliases]) {
      const [first = '', member, further] = scriptName(name).split('.')
      if (further !== undefined) continue
      if (member === undefined) flat.set(first, name)
      else families.set(first, [...(families.get(first) ?? []), [member, name]])
    }
  return { families, flat }
}

/** What scripts can call: operations and chains whose names have one dot at most. */
export const scriptNamesOf = (registry: Registry): ScriptNames => {
  const names = known.get(registry) ?? read(registry)
  known.set(registry, names)
  return names
}
