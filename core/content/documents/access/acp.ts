import { type Ace, type Acl, aceId, EVERYONE, EVERYTHING, isBlock } from '../../../access/security/index.js'

/**
 * Changes of a document's ACLs by the rules of the reference (reference: security.md §7). A change without effect
 * returns the very list that was passed, so that callers know that there is nothing to save.
 */
export type AclChange = (acls: readonly Acl[]) => readonly Acl[]

const DEFAULT_ACL = 'local'

const withAcl = (
  acls: readonly Acl[],
  name: string,
  change: (aces: readonly Ace[]) => readonly Ace[],
): readonly Acl[] => {
  const existing = acls.find((acl) => acl.name === name)
  const before = existing?.aces ?? []
  const aces = change(before)
  if (aces === before) return acls
  if (!existing) return [...acls, { name, aces }]
  const changed = acls.map((acl) => (acl === existing ? { name, aces } : acl))
  return aces.length === 0 ? changed.filter((acl) => acl.aces.length > 0) : changed
}

const without = (aces: readonly Ace[], isRemoved: (ace: Ace) => boolean): readonly Ace[] => {
  const kept = aces.filter((ace) => !isRemoved(ace))
  return kept.length === aces.length ? aces : kept
}

/** Adds an entry before the one that blocks inheritance, else at the end; never one that is there already. */
export const addAce = (acls: readonly Acl[], ace: Ace, name = DEFAULT_ACL): readonly Acl[] =>
  withAcl(acls, name, (aces) => {
    if (aces.some((other) => aceId(other) === aceId(ace))) return aces
    const block = aces.findIndex(isBlock)
    return block < 0 ? [...aces, ace] : [...aces.slice(0, block), ace, ...aces.slice(block)]
  })

/** Replaces the entry with an id by another one; unchanged when there is none. */
export const replaceAce = (
  acls: readonly Acl[],
  { id, ace, name = DEFAULT_ACL }: { id: string; ace: Ace; name?: string },
): readonly Acl[] =>
  withAcl(acls, name, (aces) => {
    const position = aces.findIndex((other) => aceId(other) === id)
    return position < 0 ? aces : aces.with(position, ace)
  })

/** Removes entries from one ACL. */
export const removeAces = (
  acls: readonly Acl[],
  isRemoved: (ace: Ace) => boolean,
  name = DEFAULT_ACL,
): readonly Acl[] => withAcl(acls, name, (aces) => without(aces, isRemoved))

/** Removes all entries of a user or group, from one ACL or from all. */
export const removeAcesByUsername = (acls: readonly Acl[], username: string, name?: string): readonly Acl[] =>
  (name === undefined ? acls.map((acl) => acl.name) : [name]).reduce<readonly Acl[]>(
    (left, each) => removeAces(left, (ace) => ace.username === username, each),
    acls,
  )

export const removeAcl = (acls: readonly Acl[], name: string): readonly Acl[] =>
  acls.some((acl) => acl.name === name) ? acls.filter((acl) => acl.name !== name) : acls

/**
 * Stops inheritance: whoever blocks and the administrators keep everything, everybody else gets only what
 * the document itself grants.
 */
export const blockInheritance = (
  acls: readonly Acl[],
  {
    username,
    administrators,
    name = DEFAULT_ACL,
  }: { username: string; administrators: readonly string[]; name?: string },
): readonly Acl[] =>
  withAcl(acls, name, (aces) => {
    if (aces.some(isBlock)) return aces
    const everything = (who: string): Ace => ({
      username: who,
      permission: EVERYTHING,
      granted: true,
      creator: username,
    })
    const block: Ace = { username: EVERYONE, permission: EVERYTHING, granted: false }
    return [...aces, everything(username), ...administrators.map(everything), block]
  })

/** Inherits again; what blocking granted stays (security.md, surprise 6). */
export const unblockInheritance = (acls: readonly Acl[], name = DEFAULT_ACL): readonly Acl[] =>
  removeAces(acls, isBlock, name)

/**
 * One raw entry. Overwriting drops every other entry of every ACL (security.md, surprise 2); otherwise it follows
 * those of the same ACL, except that it replaces the entry of the same user and permission.
 */
export const setAce = (
  acls: readonly Acl[],
  { ace, overwrite, name = DEFAULT_ACL }: { ace: Ace; overwrite: boolean; name?: string },
): readonly Acl[] => {
  if (overwrite) return [{ name, aces: [ace] }]
  return withAcl(acls, name, (aces) => [
    ...without(
      aces,
      ({ username, permission }) => username === ace.username && permission === ace.permission,
    ),
    ace,
  ])
}
