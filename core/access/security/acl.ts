import type { SecurityPolicy } from './policy.js'
import { EVERYONE, EVERYTHING, type Principal } from './principal.js'

/** One entry of an ACL as it is set on a document. `begin` and `end` are ISO 8601 instants. */
export type Ace = {
  username: string
  permission: string
  granted: boolean
  creator?: string | null
  begin?: string | null
  end?: string | null
  /** Whether to notify the user, and the comment: stored for clients that read it (reference: security.md §7, `aceinfo`). */
  notify?: boolean
  comment?: string
}

/** A named ACL of one document; `local` unless somebody names it otherwise. */
export type Acl = { name: string; aces: readonly Ace[] }

/** An entry of an effective ACL; `browse` says whether it decides about browsing, so that stores need no permissions. */
export type EffectiveAce = Omit<Ace, 'notify' | 'comment'> & { browse: boolean }

export type EffectiveAcl = readonly EffectiveAce[]

export type PermissionModel = {
  /**
   * The permissions whose grant or denial decides about `permission`: itself, every compound that includes
   * it, and `Everything` (reference: security.md §7, evaluation step 3).
   */
  accepted(permission: string): ReadonlySet<string>
  known: readonly string[]
  /** The permission of a name or an alias; undefined when there is none. */
  canonical(name: string): string | undefined
  /** What a user interface offers to grant on a type, in order. */
  visible(type: string): readonly VisiblePermission[]
  /** In the order in which they are asked. */
  policies: readonly SecurityPolicy[]
}

export type VisiblePermission = {
  name: string
  /** What is denied instead, where the whole would take too much. */
  deny: string
}

/** How an entry is named on the wire: by its parts, empty ones kept (reference: security.md §7). */
export const aceId = ({
  username,
  permission,
  granted,
  creator,
  begin,
  end,
}: Omit<Ace, 'notify' | 'comment'>): string => {
  const millis = (date: string | null | undefined) => (date ? String(Date.parse(date)) : '')
  return [username, permission, granted, creator ?? '', millis(begin), millis(end)].join(':')
}

/** Whether an entry stops inheritance: everything denied to everybody, for good (reference: security.md §7, the block ACE). */
export const isBlock = (ace: Omit<Ace, 'notify' | 'comment'>): boolean =>
  !ace.granted && ace.username === EVERYONE && ace.permission === EVERYTHING && !ace.begin && !ace.end

/**
 * What is in force on a document: its own entries, then those it inherits, up to the entry that denies
 * everything to everyone (reference: security.md §7).
 */
export const effectiveAcl = (
  own: readonly Acl[],
  inherited: EffectiveAcl,
  permissions: PermissionModel,
): EffectiveAcl => {
  const browsing = permissions.accepted('Browse')
  const entries: EffectiveAce[] = []
  for (const acl of own) {
    for (const { notify: _, comment: __, ...ace } of acl.aces) {
      entries.push({ ...ace, browse: browsing.has(ace.permission) })
      if (isBlock(ace)) return entries
    }
  }
  return [...entries, ...inherited]
}

export type AceStatus = 'pending' | 'effective' | 'archived'

export const aceStatus = ({ begin, end }: Pick<Ace, 'begin' | 'end'>, now: Date): AceStatus => {
  if (end && new Date(end) <= now) return 'archived'
  return begin && new Date(begin) > now ? 'pending' : 'effective'
}

/**
 * The first entry in force that names one of the identities and decides about the permission wins; none denies. One that
 * denies browsing decides about all others.
 */
export const isGranted = ({
  acl,
  principal,
  permission,
  permissions,
  now,
  isVersion = false,
}: {
  acl: EffectiveAcl
  principal: Principal
  permission: string
  permissions: PermissionModel
  now: Date
  /** An entry `ReadVersion` counts as `Read`. */
  isVersion?: boolean
}): boolean => {
  if (principal.isAdministrator) return true
  const model = permissions.accepted(permission)
  const accepted = isVersion && model.has('Read') ? new Set([...model, 'ReadVersion']) : model
  const deciding = acl.find(
    (ace) =>
      // Who may not browse has nothing else there, whatever a later entry grants.
      (accepted.has(ace.permission) || (!ace.granted && ace.browse)) &&
      principal.identities.includes(ace.username) &&
      aceStatus(ace, now) === 'effective',
  )
  return deciding?.granted ?? false
}

/** Nobody's name: that nobody may browse is something else than that nobody has looked. */
const NOBODY = ''

/**
 * The form in which queries test an ACL: a plain one by membership in `browsers`, any other by iterating over its
 * entries, and only for those who are in `browsers`, whom some entry grants it at some time. An ACL is plain when neither
 * order nor time can change the answer.
 */
export const browsersOf = (acl: EffectiveAcl): { browsers: string[]; isPlain: boolean } => {
  const deciding = acl.filter((ace) => ace.browse)
  const last = deciding.at(-1)
  const granting = last && isBlock(last) ? deciding.slice(0, -1) : deciding
  const isPlain = granting.every((ace) => ace.granted && !ace.begin && !ace.end)
  const browsers = [...new Set(granting.filter(({ granted }) => granted).map(({ username }) => username))]
  return { browsers: isPlain || browsers.length > 0 ? browsers : [NOBODY], isPlain }
}
