import type { Contributions } from '../contributions/index.js'
import { EVERYTHING, type PermissionModel } from '../security/index.js'
import { permissionsPoint } from './permissions-point.js'

/**
 * Builds the permission hierarchy of a deployment. A permission that is only granted by name is not granted
 * by `Everything`; an unknown one is decided by itself and `Everything` (security.md §7).
 */
export const buildPermissionModel = (contributions: Contributions): PermissionModel => {
  const contents = contributions.get(permissionsPoint)
  const includedIn = new Map<string, string[]>()
  for (const [compound, { includes }] of contents) {
    for (const included of includes) includedIn.set(included, [...(includedIn.get(included) ?? []), compound])
  }
  const expanded = new Map<string, ReadonlySet<string>>()
  for (const [permission, { onlyByName }] of contents) {
    const accepted = new Set([permission])
    for (const name of accepted) for (const compound of includedIn.get(name) ?? []) accepted.add(compound)
    if (!onlyByName) accepted.add(EVERYTHING)
    expanded.set(permission, accepted)
  }
  return {
    known: [...contents.keys()],
    accepted: (permission) => expanded.get(permission) ?? new Set([permission, EVERYTHING]),
  }
}
