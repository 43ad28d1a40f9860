import { type ContentModel, modelRegistry } from '../../../model/content-model/index.js'
import type { DocumentRecord } from '../../../model/properties/index.js'
import { type Contributions, defineRegistry } from '../../../platform/contributions/index.js'
import { fail } from '../../../platform/errors/index.js'
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

/** Whether a condition of the deployment holds; `field` says where it is written. */
type ConditionTest = (condition: string, field: string) => Promise<boolean>

/** A change as policies see it: the document as it is about to be, as it was before, and who makes it. */
export type PolicyCase = {
  /** Null when it is about to be created. */
  previous: Pick<DocumentRecord, 'properties'> | null
  current: Marks
  username: string
  isTrue: ConditionTest
}

export type VersioningRules = {
  /** What to do before, or after, a change for which nobody asked for a version; undefined when no policy holds. */
  policy(phase: 'before' | 'after', change: PolicyCase): Promise<Increment | undefined>
  /** The number of a new document. */
  initialVersion(creation: PolicyCase): Promise<{ majorVersion: number; minorVersion: number }>
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

  const isChangedHands = ({ previous, username }: PolicyCase): boolean => {
    const last = previous?.properties['dc:lastContributor'] ?? null
    return last !== null && last !== username
  }

  // Expressions last: they cost more than all others.
  const holds = async (policy: PolicyContent, change: PolicyCase): Promise<boolean> => {
    for (const name of policy.filters) {
      const filter = filters.get(name)
      if (filter === undefined) continue
      const { contributorChanged, condition } = filter
      if (!fits(filter, change.current)) return false
      if (contributorChanged !== undefined && contributorChanged !== isChangedHands(change)) return false
      if (condition === undefined) continue
      if (!(await change.isTrue(condition, `versioningFilters.${name}.condition`))) return false
    }
    return true
  }

  const firstThatHolds = async (
    change: PolicyCase,
    isMeant: (policy: PolicyContent) => unknown,
  ): Promise<PolicyContent | undefined> => {
    for (const policy of policies) if (isMeant(policy) && (await holds(policy, change))) return policy
    return undefined
  }

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
    policy: async (phase, change) => {
      if (!isVersionable(change.current)) return undefined
      const policy = await firstThatHolds(change, ({ beforeUpdate }) => beforeUpdate === (phase === 'before'))
      return policy?.increment
    },
    initialVersion: async (creation) => {
      const policy = await firstThatHolds(creation, ({ initialState }) => initialState)
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
