import { EVERYONE, EVERYTHING, type Principal } from './principal.js'

/** One entry of an ACL as it is set on a document. `begin` and `end` are ISO 8601 instants. */
export type Ace = {
  username: string
  permission: string
  granted: boolean
  creator?: string | null
  begin?: string | null
  end?: string | null
}

/** A named ACL of one document; `local` unless somebody names it otherwise. */
export type Acl = { name: string; aces: readonly Ace[] }

/** An entry of an effective ACL; `browse` tells whether it decides about browsing, so that SQL need not know the permissions. */
export type EffectiveAce = Ace & { browse: boolean }

export type EffectiveAcl = readonly EffectiveAce[]

export type PermissionModel = {
  /**
   * The permissions whose grant or denial decides about `permission`: itself, every compound that includes
   * it, and `Everything` (security.md §7, evaluation step 3).
   */
  accepted(permission: string): ReadonlySet<string>
  known: readonly string[]
}

/** How an entry is named on the wire: by its parts, empty ones kept (security.md §7). */
export const aceId = ({ username, permission, granted, creator, begin, end }: Ace): string => {
  const millis = (date: string | null | undefined) => (date ? String(Date.parse(date)) : '')
  return [username, permission, granted, creator ?? '', millis(begin), millis(end)].join(':')
}

/** Whether an entry stops inheritance: everything denied to everybody, for good (security.md §7, the block ACE). */
export const isBlock = (ace: Ace): boolean =>
  !ace.granted && ace.username === EVERYONE && ace.permission === EVERYTHING && !ace.begin && !ace.end

/**
 * What is in force on a document: its own entries, then those it inherits, up to the entry that denies
 * everything to everyone (security.md §7).
 */
export const effectiveAcl = (
  own: readonly Acl[],
  inherited: EffectiveAcl,
  permissions: PermissionModel,
): EffectiveAcl => {
  const browsing = permissions.accepted('Browse')
  const entries: EffectiveAce[] = []
  for (const acl of own) {
    for (const ace of acl.aces) {
      entries.push({ ...ace, browse: browsing.has(ace.permission) })
      if (isBlock(ace)) return entries
    }
  }
  return [...entries, ...inherited]
}

const isInForce = (ace: Ace, now: Date): boolean =>
  (!ace.begin || new Date(ace.begin) <= now) && (!ace.end || new Date(ace.end) > now)

/** The first entry in force that names one of the identities and decides about the permission wins; none denies. */
export const isGranted = ({
  acl,
  principal,
  permission,
  permissions,
  now,
}: {
  acl: EffectiveAcl
  principal: Principal
  permission: string
  permissions: PermissionModel
  now: Date
}): boolean => {
  if (principal.isAdministrator) return true
  const accepted = permissions.accepted(permission)
  const deciding = acl.find(
    (ace) =>
      accepted.has(ace.permission) && principal.identities.includes(ace.username) && isInForce(ace, now),
  )
  return deciding?.granted ?? false
}

/**
 * The form in which queries test an ACL: a plain one by membership in `browsers`, any other by walking its
 * entries. Plain means that no order and no clock can change the answer.
 */
export const browsersOf = (acl: EffectiveAcl): { browsers: string[]; isPlain: boolean } => {
  const deciding = acl.filter((ace) => ace.browse)
  const last = deciding.at(-1)
  const granting = last && isBlock(last) ? deciding.slice(0, -1) : deciding
  const isPlain = granting.every((ace) => ace.granted && !ace.begin && !ace.end)
  return { browsers: isPlain ? [...new Set(granting.map((ace) => ace.username))] : [], isPlain }
}
