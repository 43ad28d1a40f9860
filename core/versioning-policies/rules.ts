import { type ContentModel, modelRegistry } from '../content-model/index.js'
import { type Contributions, defineRegistry } from '../contributions/index.js'
import type { DocumentRecord } from '../documents/types.js'
import { fail } from '../errors/index.js'
import {
  ANY_TYPE,
  type FilterContent,
  INCREMENTS,
  type Increment,
  type PolicyContent,
  versioningFiltersPoint,
  versioningPoliciesPoint,
  versioningRestrictionsPoint,
} from './points.js'

type Marks = Pick<DocumentRecord, 'type' | 'facets' | 'lifecycleState'>

/** A change as policies see it: the document before it, and who makes it. */
export type PolicyCase = { document: DocumentRecord; username: string }

export type VersioningRules = {
  /** What to do before, or after, a change for which nobody asked for a version; undefined when no policy holds. */
  policy(phase: 'before' | 'after', change: PolicyCase): Increment | undefined
  /** The number of a new document. */
  initialVersion(marks: Marks): { majorVersion: number; minorVersion: number }
  /** The increments that may be asked for in the document's state. */
  options(marks: Marks): readonly Increment[]
}

const ONLY_NONE: readonly Increment[] = ['NONE']

/** Builds the versioning rules of a deployment. @throws invalid for a restriction of an unknown type. */
export const buildVersioningRules = (contributions: Contributions, model: ContentModel): VersioningRules => {
  const filters = contributions.get(versioningFiltersPoint)
  const restrictions = contributions.get(versioningRestrictionsPoint)
  for (const type of restrictions.keys()) {
    if (type !== ANY_TYPE && !model.types.has(type))
      throw fail('invalid', `versioningRestrictions.${type}: there is no such document type`)
  }
  const policies = [...contributions.get(versioningPoliciesPoint).values()].sort((a, b) => a.order - b.order)

  const fits = ({ types, facets, schemas, states }: FilterContent, marks: Marks): boolean => {
    const own = model.facetsOf(marks.type, marks.facets)
    const ownSchemas = model.schemasOf(marks.type, marks.facets)
    return (
      (types.length === 0 || types.some((type) => model.subtypes(type).includes(marks.type))) &&
      facets.every((facet) => own.includes(facet)) &&
      schemas.every((name) => ownSchemas.some((schema) => schema.name === name)) &&
      (states.length === 0 || states.includes(marks.lifecycleState ?? ''))
    )
  }

  const filtersOf = (policy: PolicyContent): FilterContent[] =>
    policy.filters.flatMap((name) => filters.get(name) ?? [])

  const holds = (policy: PolicyContent, { document, username }: PolicyCase): boolean =>
    filtersOf(policy).every((filter) => {
      if (!fits(filter, document)) return false
      if (filter.contributorChanged === undefined) return true
      const last = document.properties['dc:lastContributor'] ?? null
      return filter.contributorChanged === (last !== null && last !== username)
    })

  const restrictionOf = (type: string) => {
    for (let name: string | null = type; name !== null; name = model.types.get(name)?.parent ?? null) {
      const restriction = restrictions.get(name)
      if (restriction) return restriction
    }
    return restrictions.get(ANY_TYPE)
  }

  const isVersionable = ({ type, facets }: Marks): boolean =>
    model.facetsOf(type, facets).includes('Versionable')

  return {
    policy: (phase, change) => {
      if (!isVersionable(change.document)) return undefined
      return policies.find((policy) => policy.beforeUpdate === (phase === 'before') && holds(policy, change))
        ?.increment
    },
    initialVersion: (marks) => {
      const policy = policies.find(
        (candidate) => candidate.initialState && filtersOf(candidate).every((filter) => fits(filter, marks)),
      )
      return {
        majorVersion: policy?.initialState?.major ?? 0,
        minorVersion: policy?.initialState?.minor ?? 0,
      }
    },
    options: (marks) => {
      if (!isVersionable(marks)) return ONLY_NONE
      const options = restrictionOf(marks.type)?.options
      return options?.[marks.lifecycleState ?? ''] ?? options?.['*'] ?? INCREMENTS
    },
  }
}

export const versioningRegistry = defineRegistry({
  name: 'versioning rules',
  build: (contributions, snapshot) => buildVersioningRules(contributions, snapshot.get(modelRegistry)),
})
