import type { Principal } from '../../../access/security/index.js'
import { fail } from '../../../platform/errors/index.js'

/** Who acts in a trial, by name. */
export type Principals = {
  find(name: string): Promise<Principal | undefined>
  /** @throws badRequest for a user who does not exist, or is disabled. */
  get(name: string): Promise<Principal>
}

/** Looks up each name once. */
export const rememberedPrincipals = (find: (name: string) => Promise<Principal | undefined>): Principals => {
  const known = new Map<string, Promise<Principal | undefined>>()
  const remembered = (name: string): Promise<Principal | undefined> => {
    const found = known.get(name) ?? find(name)
    known.set(name, found)
    return found
  }
  return {
    find: remembered,
    get: async (name) => {
      const principal = await remembered(name)
      if (principal) return principal
      throw fail('badRequest', `actor: user ${name} does not exist or is disabled`)
    },
  }
}
