import { permissionsPoint } from '../../access/security/index.js'
import { directoriesPoint } from '../../content/directories/index.js'
import { convertersPoint } from '../../files/conversions/index.js'
import { modelRegistry } from '../../model/content-model/index.js'
import { type Contributions, defineRegistry, type Snapshot } from '../../platform/contributions/index.js'
import { pageProvidersPoint } from '../../search/page-providers/index.js'
import { durationsPoint } from '../business-days/index.js'
import type { NamedThing } from '../language/index.js'
import { templatesPoint } from '../templates/index.js'
import type { KnownNames } from './types.js'

const gather = (
  contributions: Contributions,
  { get }: Pick<Snapshot, 'get'>,
): { [thing in NamedThing]: () => Iterable<string> } => {
  const model = get(modelRegistry)
  const lifecycles = [...model.lifecycles.values()]
  return {
    documentType: () => model.types.keys(),
    facet: () => model.facets.keys(),
    lifecycleState: () => lifecycles.flatMap(({ states }) => [...states.keys()]),
    transition: () => lifecycles.flatMap(({ transitions }) => [...transitions.keys()]),
    permission: () =>
      [...contributions.get(permissionsPoint)].flatMap(([name, { aliases }]) => [name, ...aliases]),
    directory: () =>
      [...contributions.get(directoriesPoint)].flatMap(([name, { template }]) => (template ? [] : [name])),
    pageProvider: () => contributions.get(pageProvidersPoint).keys(),
    converter: () => contributions.get(convertersPoint).keys(),
    template: () => contributions.get(templatesPoint).keys(),
    duration: () => contributions.get(durationsPoint).keys(),
  }
}

/** The names of a snapshot; each set is gathered when it is first asked for. */
export const knownNamesRegistry = defineRegistry<KnownNames>({
  name: 'known names',
  build: (contributions, snapshot) => {
    const sources = gather(contributions, snapshot)
    const known = new Map<NamedThing, ReadonlySet<string>>()
    const namesOf = (thing: NamedThing): ReadonlySet<string> => {
      const names = known.get(thing) ?? new Set(sources[thing]())
      known.set(thing, names)
      return names
    }
    return { model: snapshot.get(modelRegistry), of: namesOf }
  },
})
