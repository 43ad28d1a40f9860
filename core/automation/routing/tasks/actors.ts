import type { Principal } from '../../../access/security/index.js'

const KIND = /^(user|group):/

/** Every way in which tasks may name somebody: the user and all groups, bare and with their kind (workflow-audit.md §1). */
export const actorNames = ({ name, groups }: Pick<Principal, 'name' | 'groups'>): string[] => [
  name,
  `user:${name}`,
  ...groups.flatMap((group) => [group, `group:${group}`]),
]

/** The user or group that an actor is, as ACLs name it. */
export const bareActor = (actor: string): string => actor.replace(KIND, '')

/** What an actor says that it is; undefined for a bare name. */
export const kindOfActor = (actor: string): 'user' | 'group' | undefined =>
  KIND.exec(actor)?.[1] as 'user' | 'group' | undefined

export const isAmong = (
  principal: Pick<Principal, 'name' | 'groups'>,
  actors: readonly string[],
): boolean => {
  const names = new Set(actorNames(principal))
  return actors.some((actor) => names.has(actor))
}

/** Actors of several sources, each once, in order. */
export const distinct = (actors: readonly string[]): string[] => [...new Set(actors)]
