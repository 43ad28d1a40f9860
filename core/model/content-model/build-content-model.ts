import { LRUCache } from 'lru-cache'
import type { Contributions } from '../../platform/contributions/index.js'
import { fail } from '../../platform/errors/index.js'
import { buildSchema } from './fields.js'
import { buildFulltext } from './fulltext.js'
import { fulltextPoint } from './fulltext-point.js'
import { type LifecycleContent, lifecyclesPoint } from './lifecycles-point.js'
import { createResolver } from './resolve.js'
import { schemasPoint } from './schemas-point.js'
import { synonymsPoint } from './synonyms-point.js'
import type { ContentModel, DocumentType, Facet, Lifecycle, Schema } from './types.js'
import { BASE_TYPE, facetsPoint, type TypeContent, typesPoint } from './types-point.js'

/**
 * Builds the immutable content model of a deployment from its checked contributions.
 *
 * @throws invalid when a type has no life cycle of its own and inherits none.
 */
export const buildContentModel = (contributions: Contributions): ContentModel => {
  const schemas = mapValues(contributions.get(schemasPoint), (content, name) => buildSchema(name, content))
  const facets: ReadonlyMap<string, Facet> = mapValues(contributions.get(facetsPoint), (content, name) => ({
    name,
    schemas: content.schemas,
  }))
  const lifecycles = mapValues(contributions.get(lifecyclesPoint), (content, name) =>
    buildLifecycle(name, content),
  )
  const types = buildTypes(contributions.get(typesPoint), facets)
  const subtypes = subtypesByType(types)
  const resolve = createResolver(schemas)
  const byMarks = createMarkLookups({ schemas, facets, types })
  return {
    schemas,
    facets,
    types,
    lifecycles,
    fulltext: {
      ...buildFulltext(contributions.get(fulltextPoint), { schemas, facets, types, resolve }),
      synonyms: [...contributions.get(synonymsPoint).values()],
    },
    resolve,
    subtypes: (type) => subtypes.get(type) ?? [],
    ...byMarks,
  }
}

const mapValues = <In, Out>(map: ReadonlyMap<string, In>, build: (value: In, name: string) => Out) =>
  new Map([...map].map(([name, value]) => [name, build(value, name)]))

/** An initial state is there: the extension point checks it. */
const buildLifecycle = (name: string, { initial, states, transitions }: LifecycleContent): Lifecycle => ({
  name,
  initial: initial!,
  states: new Map(
    Object.entries(states).map(([state, leaving]) => [state, { name: state, transitions: leaving }]),
  ),
  transitions: new Map(Object.entries(transitions).map(([key, to]) => [key, { name: key, ...to }])),
})

const buildTypes = (
  contents: ReadonlyMap<string, TypeContent>,
  facets: ReadonlyMap<string, Facet>,
): ReadonlyMap<string, DocumentType> => {
  const types = new Map<string, DocumentType>()
  const build = (name: string): DocumentType => {
    const built = types.get(name)
    if (built) return built
    const content = contents.get(name)!
    const parentName = name === BASE_TYPE ? null : (content.extends ?? BASE_TYPE)
    const parent = parentName === null ? undefined : build(parentName)
    const lifecycle = content.lifecycle ?? parent?.lifecycle
    if (lifecycle === undefined) throw fail('invalid', `types.${name}: needs a "lifecycle"`)
    const icon = content.icon ?? parent?.icon
    const ownFacets = union(parent?.facets, content.facets)
    const type: DocumentType = {
      name,
      parent: parentName,
      schemas: union(
        parent?.schemas,
        content.schemas,
        ...ownFacets.map((facet) => facets.get(facet)!.schemas),
      ),
      facets: ownFacets,
      allowedChildren:
        content.allowedChildren.length > 0 ? content.allowedChildren : (parent?.allowedChildren ?? []),
      lifecycle,
      ...(icon !== undefined && { icon }),
      ...(content.abstract && { isAbstract: true }),
    }
    types.set(name, type)
    return type
  }
  if (contents.size > 0 && !contents.has(BASE_TYPE)) throw fail('invalid', `types: "${BASE_TYPE}" is missing`)
  return new Map([...contents.keys()].map((name) => [name, build(name)]))
}

const union = (...lists: (readonly string[] | undefined)[]): string[] => [
  ...new Set(lists.flatMap((list) => list ?? [])),
]

const subtypesByType = (types: ReadonlyMap<string, DocumentType>): ReadonlyMap<string, readonly string[]> => {
  const subtypes = new Map<string, string[]>([...types.keys()].map((name) => [name, [name]]))
  for (const type of types.values()) {
    for (let above = type.parent; above !== null; above = types.get(above)?.parent ?? null) {
      subtypes.get(above)?.push(type.name)
    }
  }
  return subtypes
}

/** Facets of instances come from callers in the end, so what is remembered about them is bounded. */
const MAX_CACHED_COMBINATIONS = 2048

const createMarkLookups = ({
  schemas,
  facets,
  types,
}: Pick<ContentModel, 'schemas' | 'facets' | 'types'>): Pick<ContentModel, 'schemasOf' | 'facetsOf'> => {
  type Marks = { facets: readonly string[]; schemas: readonly Schema[] }
  const build = (typeName: string, instanceFacets: readonly string[]): Marks => {
    const type = types.get(typeName)
    const allFacets = union(type?.facets, instanceFacets)
    const names = union(type?.schemas, ...allFacets.map((facet) => facets.get(facet)?.schemas))
    return { facets: allFacets, schemas: names.flatMap((name) => schemas.get(name) ?? []) }
  }
  const plain = mapValues(types, (_, name) => build(name, []))
  const combined = new LRUCache<string, Marks>({ max: MAX_CACHED_COMBINATIONS })
  const marksOf = (type: string, instanceFacets: readonly string[]): Marks => {
    if (instanceFacets.length === 0) return plain.get(type) ?? { facets: [], schemas: [] }
    const key = JSON.stringify([type, ...instanceFacets])
    const known = combined.get(key)
    if (known) return known
    const marks = build(type, instanceFacets)
    combined.set(key, marks)
    return marks
  }
  return {
    schemasOf: (type, instanceFacets) => marksOf(type, instanceFacets).schemas,
    facetsOf: (type, instanceFacets) => marksOf(type, instanceFacets).facets,
  }
}
