import { defaultContentOf, groupsPoint, usersPoint } from '../../core/content-model/index.js'
import type { Contributions } from '../../core/contributions/index.js'
import { type SeededDocument, type Session, seedRepository } from '../../core/documents/index.js'
import {
  type IdentityStore,
  type SeededGroup,
  type SeededUser,
  seedIdentities,
} from '../../core/identity/index.js'
import { readProperties } from '../../core/properties/index.js'

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

/**
 * Gives a new deployment its groups, users, first administrator and default content; on one that has them it
 * changes nothing. To be run in a transaction that no other process runs at the same time.
 *
 * @returns the administrator's password, if one was generated.
 */
export const seed = async ({
  session,
  identities,
  contributions,
  administrator,
}: {
  session: Session
  identities: IdentityStore
  contributions: Contributions
  administrator: { password: string | undefined } | undefined
}): Promise<string | undefined> => {
  const generated = await seedIdentities(identities, {
    groups: seededGroups(contributions),
    users: seededUsers(contributions),
    administrator,
  })
  await seedContent(session, contributions)
  return generated
}
