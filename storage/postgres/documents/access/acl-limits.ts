import { browsersOf, type EffectiveAcl, type Principal } from '../../../../core/access/security/index.js'
import { fail } from '../../../../core/platform/errors/index.js'
import type { WriteAccount } from '../../../../core/platform/limits/index.js'

/** Entries of one effective ACL, inherited ones among them: queries ask each ACL, and its text is written with each change above. */
const MAX_ENTRIES = 2_000

/** The same of what lies below an administrator's change or is moved by one: no user's ACL keeps one from adding entries above. */
const MAX_BELOW = 3_000

/** Entries of all effective ACLs together that one transaction of others than administrators computes, in one to two seconds. */
const MAX_COMPUTED = 100_000

/**
 * Entries of all long ACLs in force that queries have to walk, since dates or denials count in them: the first query of
 * everybody after a change of rights walks each, in half a second.
 */
const MAX_WALKED = 100_000

/** From how many entries on an ACL is long: what people set by hand is shorter, and never counted. */
const LONG = 50

const isWalked = (acl: EffectiveAcl): boolean => acl.length > LONG && !browsersOf(acl).isPlain

/** About as many characters has an entry where an effective ACL is stored. */
const ENTRY_CHARACTERS = 100

/** What the ACLs that one transaction computes may come to (docs/security.md). */
export type AclLimits = {
  /**
   * Counts entries that are to be computed, and stored.
   *
   * @throws badRequest when there are too many in all.
   */
  spend(entries: number): void
  /**
   * Holds one ACL to its limit, unless it was as long before: what is older than the limit may get shorter.
   *
   * @param which `isBelow`: it is not this ACL that is set, but one above.
   * @param before how many entries it had; asked only when it matters.
   * @throws badRequest, to administrators too.
   */
  requireShort(
    which: { path: string; acl: EffectiveAcl; isBelow: boolean },
    before: () => Promise<number>,
  ): Promise<void>
  /**
   * Holds the long ACLs that queries walk to what they may come to, whoever has set them, where some of those are written.
   *
   * @param acls what is written.
   * @param walked the entries of those in force (`LONG` and more of each); asked before and after, and only when it matters.
   * @throws badRequest when there are too many afterwards, and were fewer before.
   */
  writeWalked(
    acls: readonly EffectiveAcl[],
    walked: (long: number) => Promise<number>,
    write: () => Promise<void>,
  ): Promise<void>
}

export const createAclLimits = (
  { isAdministrator }: Pick<Principal, 'isAdministrator'>,
  writes?: WriteAccount,
): AclLimits => {
  let computed = 0
  return {
    spend: (entries) => {
      if (isAdministrator) return
      computed += entries
      writes?.owe(entries * ENTRY_CHARACTERS)
      if (computed > MAX_COMPUTED)
        throw fail(
          'badRequest',
          `The ACLs that change, here and below, would have more than ${MAX_COMPUTED} entries, inherited ones included: change them in parts, or ask an administrator`,
        )
    },
    writeWalked: async (acls, walked, write) => {
      if (isAdministrator || !acls.some(isWalked)) return write()
      const before = await walked(LONG)
      await write()
      const after = await walked(LONG)
      if (after > MAX_WALKED && after > before)
        throw fail(
          'badRequest',
          `The ACLs of more than ${LONG} entries with dates or denials would have more than ${MAX_WALKED} entries in the whole repository: grant without dates, or ask an administrator`,
        )
    },
    requireShort: async ({ path, acl: { length }, isBelow }, before) => {
      const most = isBelow && isAdministrator ? MAX_BELOW : MAX_ENTRIES
      if (length <= most || length <= (await before())) return
      // Whoever changes a folder need not see all that is below it.
      const name = isAdministrator ? path : 'Here or below, a document'
      throw fail(
        'badRequest',
        `${name} would have ${length} entries in its ACLs, inherited ones included, of ${most} at most: grant groups instead of users`,
      )
    },
  }
}
