import type { Contributions } from '../../platform/contributions/index.js'
import { EVERYTHING, type PermissionModel, type SecurityPolicy } from './index.js'
import { includedBy, permissionsPoint } from './permissions-point.js'
import { securityPoliciesPoint } from './security-policies-point.js'
import { DEFAULT_VISIBLE, visiblePermissionsPoint } from './visible-permissions-point.js'

/** Steps between the product's contributions, so that others fit between and after them. */
const LAST = 1_000_000

/**
 * Builds the permission hierarchy of a deployment. A permission that is only granted by name is not granted
 * by `Everything`; an unknown one is decided by itself and `Everything` (reference: security.md §7).
 */
export const buildPermissionModel = (contributions: Contributions): PermissionModel => {
  const contents = contributions.get(permissionsPoint)
  const accepted = acceptedBy(contents)
  const aliases = new Map(
    [...contents].flatMap(([name, content]) => content.aliases.map((alias) => [alias, name] as const)),
  )
  const visible = new Map<string, ReturnType<typeof visibleOn>>()
  const acceptedOf = (permission: string) => accepted.get(permission) ?? new Set([permission, EVERYTHING])
  return {
    known: [...contents.keys()],
    canonical: (name) => (contents.has(name) ? name : aliases.get(name)),
    accepted: acceptedOf,
    visible: (type) => {
      const known = visible.get(type) ?? visibleOn(contributions, type)
      visible.set(type, known)
      return known
    },
    policies: policiesOf(contributions, { known: [...contents.keys()], accepted: acceptedOf }),
  }
}

const acceptedBy = (
  contents: ReadonlyMap<string, { includes: string[]; removes: string[]; onlyByName: boolean }>,
): ReadonlyMap<string, ReadonlySet<string>> => {
  const includedIn = new Map<string, string[]>()
  for (const [compound, content] of contents) {
    for (const included of includedBy(content))
      includedIn.set(included, [...(includedIn.get(included) ?? []), compound])
  }
  const expanded = new Map<string, ReadonlySet<string>>()
  for (const [permission, { onlyByName }] of contents) {
    const accepted = new Set([permission])
    for (const name of accepted) for (const compound of includedIn.get(name) ?? []) accepted.add(compound)
    if (!onlyByName) accepted.add(EVERYTHING)
    expanded.set(permission, accepted)
  }
  return expanded
}

const visibleOn = (contributions: Contributions, type: string) => {
  const contents = contributions.get(visiblePermissionsPoint)
  const items = new Map<
    string,
    { order?: number | undefined; show?: boolean | undefined; deny?: string | undefined }
  >()
  for (const name of [DEFAULT_VISIBLE, type]) {
    for (const [permission, item] of Object.entries(contents.get(name)?.items ?? {}))
      items.set(permission, { ...items.get(permission), ...item })
  }
  return [...items]
    .filter(([, { show = true }]) => show)
    .sort(([, one], [, other]) => (one.order ?? LAST) - (other.order ?? LAST))
    .map(([name, { deny = name }]) => ({ name, deny }))
}

const policiesOf = (
  contributions: Contributions,
  { known, accepted }: Pick<PermissionModel, 'known' | 'accepted'>,
): SecurityPolicy[] =>
  [...contributions.get(securityPoliciesPoint)]
    .filter(([, { enabled = true }]) => enabled)
    .sort(([, one], [, other]) => (one.order ?? 0) - (other.order ?? 0))
    .map(([name, { decision, permissions = [EVERYTHING], when = {}, query = null }]) => ({
      name,
      decision: decision ?? (query !== null && Object.keys(when).length === 0 ? null : 'deny'),
      permissions: new Set([
        ...permissions,
        ...known.filter((permission) => permissions.some((compound) => accepted(permission).has(compound))),
      ]),
      when: {
        types: when.types,
        facets: when.facets,
        lifecycleStates: when.lifecycleStates,
        identities: when.identities,
        isLockedByOther: when.lockedByOther,
      },
      query,
    }))
