import {
  type Acl,
  type EffectiveAcl,
  effectiveAcl,
  type PermissionModel,
} from '../../../../core/access/security/index.js'

export const parentOf = (path: string): string | null =>
  path === '/' ? null : path.slice(0, path.lastIndexOf('/')) || '/'

export const isBelow = (path: string, folder: string): boolean =>
  path !== folder && (folder === '/' || path.startsWith(`${folder}/`))

/** What is in force at the nearest of some folders above a path; undefined below none of them. */
const nearest = (acls: ReadonlyMap<string, EffectiveAcl>, path: string): EffectiveAcl | undefined => {
  for (let folder = parentOf(path); folder !== null; folder = parentOf(folder)) {
    const acl = acls.get(folder)
    if (acl) return acl
  }
  return undefined
}

/**
 * The effective ACLs of documents, in their order, by their own ACLs.
 *
 * @param holders each behind all those above it. Whatever else lies between is no matter: byte by byte `/a-b` comes
 * between `/a` and `/a/b`.
 * @param outer what those inherit that are below no other.
 * @param spend receives how many entries each has, and may throw so that no more are computed.
 */
export const inheritAcls = (
  holders: readonly { path: string; own: readonly Acl[] }[],
  {
    outer,
    permissions,
    spend = () => undefined,
  }: { outer: EffectiveAcl; permissions: PermissionModel; spend?: (entries: number) => void },
): EffectiveAcl[] => {
  const known = new Map<string, EffectiveAcl>()
  return holders.map(({ path, own }) => {
    const acl = effectiveAcl(own, nearest(known, path) ?? outer, permissions)
    spend(acl.length)
    known.set(path, acl)
    return acl
  })
}
