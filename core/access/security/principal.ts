/** Who acts. Built by authentication, or from a recorded name when a workflow acts for its caller. */
export type Principal = {
  name: string
  /** All groups, inherited ones included. */
  groups: readonly string[]
  isAdministrator: boolean
  /** What an ACE may name to mean this principal: the name, every group, and `Everyone`. */
  identities: readonly string[]
  /**
   * Groups that it was in a moment ago, as far as this process has seen it there, and until when that counts (ms since
   * 1970). They give no right: whoever knew something by them gets 403, and not 404.
   */
  lost?: readonly { group: string; until: number }[]
}

export const EVERYONE = 'Everyone'
export const EVERYTHING = 'Everything'

export const principalOf = (
  name: string,
  groups: readonly string[],
  isAdministrator: boolean,
): Principal => ({
  name,
  groups,
  isAdministrator,
  identities: [name, ...groups, EVERYONE],
})

/** The product itself, for work that no user asked for. */
export const SYSTEM: Principal = principalOf('system', [], true)
