import type { MembershipStore } from '../../../core/access/identity/index.js'
import { groupMembers, users } from '../../../schema/identity.js'
import type { Sql } from '../connection/index.js'
import { columnsOf, named, tableOf } from '../rows/index.js'

const MEMBERS = tableOf(groupMembers)
const USERS = tableOf(users)
const g = columnsOf(groupMembers, 'g')
const u = columnsOf(users, 'u')

const names = (rows: readonly { name: string }[]): string[] => rows.map(({ name }) => name)

/**
 * Who belongs to groups that contain one another: recursive queries, which Drizzle does not write. They join by UNION,
 * not UNION ALL, so that groups in a circle do not go round for ever.
 */
export const createNestedMemberships = (
  sql: Sql,
): Pick<MembershipStore, 'groupsOf' | 'withAncestors' | 'allMembershipsOfUsers' | 'allMembers'> => ({
  groupsOf: async (username) =>
    names(
      await named(sql)<{ name: string }[]>`
      WITH RECURSIVE memberships AS (
        SELECT ${g.groupname} AS groupname FROM ${MEMBERS} g WHERE ${g.kind} = 'user' AND ${g.member} = ${username}
        UNION
        SELECT ${g.groupname} FROM ${MEMBERS} g
        JOIN memberships m ON ${g.kind} = 'group' AND ${g.member} = m.groupname
      )
      SELECT groupname AS name FROM memberships ORDER BY groupname`,
    ),

  withAncestors: async (groupnames) =>
    names(
      await named(sql)<{ name: string }[]>`
      WITH RECURSIVE reached AS (
        SELECT unnest(${[...groupnames]}::text[]) AS groupname
        UNION
        SELECT ${g.groupname} FROM ${MEMBERS} g JOIN reached r ON ${g.kind} = 'group' AND ${g.member} = r.groupname
      )
      SELECT groupname AS name FROM reached ORDER BY groupname`,
    ),

  allMembershipsOfUsers: async (usernames) => {
    const rows = await named(sql)<{ member: string; groupname: string; isOwn: boolean }[]>`
      WITH RECURSIVE reached AS (
        SELECT ${g.member} AS member, ${g.groupname} AS groupname, true AS is_own FROM ${MEMBERS} g
        WHERE ${g.kind} = 'user' AND ${g.member} = ANY(${[...usernames]})
        UNION
        SELECT r.member, ${g.groupname}, false FROM ${MEMBERS} g
        JOIN reached r ON ${g.kind} = 'group' AND ${g.member} = r.groupname
      )
      SELECT member, groupname, bool_or(is_own) AS "isOwn" FROM reached
      GROUP BY member, groupname ORDER BY groupname`
    return [...rows]
  },

  allMembers: async (groupnames) =>
    names(
      await named(sql)<{ name: string }[]>`
      WITH RECURSIVE reached AS (
        SELECT unnest(${[...groupnames]}::text[]) AS groupname
        UNION
        SELECT ${g.member} FROM ${MEMBERS} g JOIN reached r ON ${g.kind} = 'group' AND ${g.groupname} = r.groupname
      )
      SELECT DISTINCT ${u.username} AS name FROM reached r
      JOIN ${MEMBERS} g ON ${g.groupname} = r.groupname AND ${g.kind} = 'user'
      JOIN ${USERS} u ON ${u.username} = ${g.member} AND ${u.isEnabled}
      ORDER BY ${u.username}`,
    ),
})
