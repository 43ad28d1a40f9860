import type { Resolver, Schema } from '../content-model/index.js'
import { resolverConstraint } from './constraints.js'
import type { Properties } from './types.js'
import {
  type ConstraintViolation,
  type FoundReference,
  referencesIn,
  requireNone,
  validateProperties,
  violationOf,
} from './validate.js'

/**
 * Resolves references.
 *
 * @returns the values whose target exists and may be known to the caller.
 */
export type ReferenceLookup = (resolver: Resolver, values: readonly string[]) => Promise<ReadonlySet<string>>

/**
 * Refuses values whose target does not exist, together with all other violations of the properties. Asks
 * once for each directory, for users and for documents, and not at all when no property is a reference.
 *
 * @throws invalid with the violations as its details.
 */
export const requireKnownReferences = async (
  properties: Properties,
  schemas: readonly Schema[],
  { lookup, isPartial = false }: { lookup: ReferenceLookup; isPartial?: boolean },
): Promise<void> => {
  const references = referencesIn(properties, schemas)
  if (references.length === 0) return
  const broken = await brokenAmong(references, lookup)
  if (broken.length > 0) requireNone([...validateProperties(properties, schemas, { isPartial }), ...broken])
}

const brokenAmong = async (
  references: readonly FoundReference[],
  lookup: ReferenceLookup,
): Promise<ConstraintViolation[]> => {
  const byResolver = new Map<string, FoundReference[]>()
  for (const reference of references) {
    const key = JSON.stringify(reference.field.resolver)
    const group = byResolver.get(key)
    if (group) group.push(reference)
    else byResolver.set(key, [reference])
  }
  const broken: ConstraintViolation[] = []
  for (const group of byResolver.values()) {
    // `referencesIn` finds nothing but fields with a resolver.
    const resolver = group[0]!.field.resolver!
    const known = await lookup(resolver, [...new Set(group.map(({ value }) => value))])
    for (const { field, value, position } of group) {
      const constraint = resolverConstraint(field)
      if (known.has(value) || !constraint) continue
      broken.push(violationOf(value, position, { constraint, message: MESSAGES[resolver.kind](resolver) }))
    }
  }
  return broken
}

const MESSAGES: { [kind in Resolver['kind']]: (resolver: Resolver) => string } = {
  directory: ({ directory }) => `This value is not an entry of ${directory}`,
  document: () => 'This value refers to no document',
  user: ({ only }) => `This value is no ${only ?? 'user or group'}`,
}
