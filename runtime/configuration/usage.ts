import { permissionsRegistry } from '../../core/access/security/index.js'
import { modelRegistry, type Narrowing, narrowings } from '../../core/model/content-model/index.js'
import { fitsField } from '../../core/model/properties/index.js'
import type { Snapshot, UsageCheck } from '../../core/platform/contributions/index.js'
import { type ErrorDetail, fail } from '../../core/platform/errors/index.js'
import { createModelUsage, type Database, type ModelUsage } from '../../storage/postgres/index.js'

/**
 * Refuses a change of the content model that documents of any repository would not survive, with their number:
 * types, facets and states that they have, properties with values that are no longer allowed. The permissions
 * that let one browse are part of every effective ACL, so those that entries name cannot begin or cease to.
 */
export const checkUsageIn =
  (databases: readonly Database[]): UsageCheck =>
  async ({ before, after }) => {
    const usages = databases.map(({ sql }) => createModelUsage(sql))
    const total = async (count: (usage: ModelUsage) => Promise<number>): Promise<number> => {
      let sum = 0
      for (const usage of usages) sum += await count(usage)
      return sum
    }
    const details: ErrorDetail[] = []
    for (const narrowing of narrowings(before.get(modelRegistry), after.get(modelRegistry))) {
      const found = await total((usage) => countOf(usage, narrowing))
      if (found > 0) details.push(describe(narrowing, found))
    }
    const permissions = browsingChanges(before, after)
    const entries = permissions.length === 0 ? 0 : await total((usage) => usage.acesOf(permissions))
    if (entries > 0) {
      const message = `${permissions.join(', ')}: ${entries} entries of ACLs name what would begin or cease to grant Browse`
      details.push({ field: 'permissions', message })
    }
    if (details.length === 0) return
    throw fail('conflict', `Still in use: ${details.map(({ message }) => message).join('; ')}`, { details })
  }

const browsingChanges = (before: Snapshot, after: Snapshot): string[] => {
  const old = before.get(permissionsRegistry).accepted('Browse')
  const now = after.get(permissionsRegistry).accepted('Browse')
  return [...[...old].filter((name) => !now.has(name)), ...[...now].filter((name) => !old.has(name))]
}

const countOf = (usage: ModelUsage, narrowing: Narrowing): Promise<number> => {
  switch (narrowing.kind) {
    case 'type':
      return usage.ofType(narrowing.type)
    case 'facet':
      return usage.withFacet(narrowing.facet)
    case 'states':
      return usage.inOtherStates(narrowing.types, narrowing.states)
    case 'property': {
      const { field, wasRequired } = narrowing
      return usage.unfit({
        ...narrowing,
        isNullAsked: field?.constraints.required === true && !wasRequired,
        fits: (value) => (field ? fitsField(field, value) : value === null),
      })
    }
  }
}

const describe = (narrowing: Narrowing, count: number): ErrorDetail => {
  const documents = count === 1 ? '1 document' : `${count} documents`
  switch (narrowing.kind) {
    case 'type':
      return { field: `types.${narrowing.type}`, message: `${documents} of type ${narrowing.type}` }
    case 'facet':
      return { field: `facets.${narrowing.facet}`, message: `${documents} with the facet ${narrowing.facet}` }
    case 'states':
      return {
        field: `types.${narrowing.types.join()}.lifecycle`,
        message: `${documents} of type ${narrowing.types.join()} in a state other than ${narrowing.states.join(', ')}`,
      }
    case 'property':
      return {
        field: narrowing.key,
        message: narrowing.field
          ? `${documents} with a value of ${narrowing.key} that would no longer be allowed`
          : `${documents} with a value of ${narrowing.key}`,
      }
  }
}
