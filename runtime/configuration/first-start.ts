import {
  FIRST_ADMINISTRATOR,
  type FirstAdministrator,
  type IdentityStore,
  type SeededGroup,
  type SeededUser,
  seedIdentities,
} from '../../core/access/identity/index.js'
import type { DirectoryLoader } from '../../core/content/directories/index.js'
import { type SeededDocument, type Session, seedRepository } from '../../core/content/documents/index.js'
import { defaultContentOf, groupsPoint, usersPoint } from '../../core/model/content-model/index.js'
import { readProperties } from '../../core/model/properties/index.js'
import type { Contributions } from '../../core/platform/contributions/index.js'

const seededGroups = (contributions: Contributions): SeededGroup[] =>
  [...contributions.get(groupsPoint)].map(([groupname, group]) => ({
    groupname,
    label: group.label ?? null,
    description: group.description ?? null,
    members: group.members,
    groups: group.groups,
  }))

const seededUsers = (contributions: Contributions): SeededUser[] =>
  [...contributions.get(usersPoint)].map(([username, user]) => ({
    username,
    firstName: user.firstName ?? null,
    lastName: user.lastName ?? null,
    email: user.email ?? null,
    company: user.company ?? null,
    groups: user.groups,
  }))

const seededDocuments = (session: Session, contributions: Contributions): Promise<SeededDocument[]> =>
  Promise.all(
    defaultContentOf(contributions).map(async ({ path, type, properties, acl }) => ({
      path,
      type,
      acl,
      properties: await readProperties(properties, { schemas: session.model.schemasOf(type, []) }),
    })),
  )

/** Gives a new repository its default content. */
export const seedContent = async (session: Session, contributions: Contributions): Promise<undefined> => {
  await seedRepository(session, await seededDocuments(session, contributions))
  return undefined
}

/** Where it is kept which groups and users have been made: beside what was loaded into directories. */
const SEEDED_GROUPS = 'groupDirectory'
const SEEDED_USERS = 'userDirectory'
/** Not a directory's name: that the first administrator has been made, with a password. */
const ADMINISTRATOR_MADE = 'userDirectory#administrator'

const namesIn = (seeded: string | undefined): string[] => (seeded === undefined ? [] : JSON.parse(seeded))

/**
 * Gives a deployment its groups, users, first administrator and default content. Those of an earlier start are
 * left alone, and what was removed since then stays removed. To be run in a transaction that no other process
 * runs at the same time.
 *
 * @param seeded remembers the names of the groups and users that were made once, the administrator among them.
 * @returns the administrator's password, if one was generated.
 */
export const seed = async ({
  session,
  identities,
  seeded,
  contributions,
  administrator,
}: {
  session: Session
  identities: IdentityStore
  seeded: Pick<DirectoryLoader, 'loaded' | 'remember'>
  contributions: Contributions
  administrator: FirstAdministrator | undefined
}): Promise<string | undefined> => {
  const made = await seeded.loaded()
  const madeGroups = namesIn(made.get(SEEDED_GROUPS))
  const madeUsers = namesIn(made.get(SEEDED_USERS))
  const groups = seededGroups(contributions).filter(({ groupname }) => !madeGroups.includes(groupname))
  const users = seededUsers(contributions).filter(({ username }) => !madeUsers.includes(username))
  // One who is there without a password gets one: so an operator brings a lost one back.
  const isRemoved = made.has(ADMINISTRATOR_MADE) && !(await identities.user(FIRST_ADMINISTRATOR))
  const wanted = isRemoved ? undefined : administrator
  const generated = await seedIdentities(identities, { groups, users, administrator: wanted })
  await seeded.remember(
    new Map([
      ...(wanted ? [[ADMINISTRATOR_MADE, 'true'] as const] : []),
      [SEEDED_GROUPS, JSON.stringify([...madeGroups, ...groups.map(({ groupname }) => groupname)])],
      [SEEDED_USERS, JSON.stringify([...madeUsers, ...users.map(({ username }) => username)])],
    ]),
  )
  await seedContent(session, contributions)
  return generated
}
