import type { IdentityStore, Membership } from '../../../core/access/identity/index.js'
import type { Sql } from '../connection/index.js'
import { likePattern } from '../rows/index.js'
import { foundOf } from './users.js'

/** Any number will do, as long as every process of the product uses the same one. */
const MEMBERSHIP_LOCK = 7_274_503

const names = (rows: readonly { name: string }[]): string[] => rows.map(({ name }) => name)

type MembershipStore = Pick<
  IdentityStore,
  | 'directGroupsOf'
  | 'groupsOf'
  | 'parentGroupsOf'
  | 'withAncestors'
  | 'memberships'
  | 'membershipsOfUsers'
  | 'allMembershipsOfUsers'
  | 'members'
  | 'allMembers'
  | 'addMember'
  | 'removeMember'
  | 'setMembers'
  | 'setMemberOf'
  | 'lockMemberships'
>

/** Recursive queries join by UNION, not UNION ALL: groups that contain one another must not go round for ever. */
export const createMembershipStore = (sql: Sql): MembershipStore => ({
  directGroupsOf: async (username) =>
    names(
      await sql<{ name: string }[]>`
      SELECT groupname AS name FROM group_members WHERE kind = 'user' AND member = ${username}
      ORDER BY groupname`,
    ),

  groupsOf: async (username) =>
    names(
      await sql<{ name: string }[]>`
      WITH RECURSIVE memberships AS (
        SELECT groupname FROM group_members WHERE kind = 'user' AND member = ${username}
        UNION
        SELECT g.groupname FROM group_members g JOIN memberships m ON g.kind = 'group' AND g.member = m.groupname
      )
      SELECT groupname AS name FROM memberships ORDER BY groupname`,
    ),

  parentGroupsOf: async (groupname) =>
    names(
      await sql<{ name: string }[]>`
      SELECT groupname AS name FROM group_members WHERE kind = 'group' AND member = ${groupname}
      ORDER BY groupname`,
    ),

  withAncestors: async (groupnames) =>
    names(
      await sql<{ name: string }[]>`
      WITH RECURSIVE reached AS (
        SELECT unnest(${[...groupnames]}::text[]) AS groupname
        UNION
        SELECT g.groupname FROM group_members g JOIN reached r ON g.kind = 'group' AND g.member = r.groupname
      )
      SELECT groupname AS name FROM reached ORDER BY groupname`,
    ),

  memberships: async (groupnames) => {
    const wanted = [...groupnames]
    const rows = await sql<Membership[]>`
      SELECT groupname, member, kind FROM group_members WHERE groupname = ANY(${wanted})
      UNION
      SELECT groupname, member, kind FROM group_members WHERE kind = 'group' AND member = ANY(${wanted})
      ORDER BY groupname, member`
    return [...rows]
  },

  membershipsOfUsers: async (usernames) => {
    const rows = await sql<Membership[]>`
      SELECT groupname, member, kind FROM group_members
      WHERE kind = 'user' AND member = ANY(${[...usernames]}) ORDER BY groupname`
    return [...rows]
  },

  allMembershipsOfUsers: async (usernames) => {
    const rows = await sql<{ member: string; groupname: string; isOwn: boolean }[]>`
      WITH RECURSIVE reached AS (
        SELECT member, groupname, true AS is_own FROM group_members
        WHERE kind = 'user' AND member = ANY(${[...usernames]})
        UNION
        SELECT r.member, g.groupname, false FROM group_members g
        JOIN reached r ON g.kind = 'group' AND g.member = r.groupname
      )
      SELECT member, groupname, bool_or(is_own) AS "isOwn" FROM reached
      GROUP BY member, groupname ORDER BY groupname`
    return [...rows]
  },

  members: async (groupname, kind, { text, limit, offset = 0 } = {}) => {
    const matching = text ? sql`AND member ILIKE ${likePattern(text, 'subany')}` : sql``
    const from = sql`FROM group_members WHERE groupname = ${groupname} AND kind = ${kind} ${matching}`
    const rows = await sql<{ name: string; total: number }[]>`
      SELECT member AS name, (count(*) OVER ())::int AS total ${from}
      ORDER BY lower(member), member LIMIT ${limit ?? null} OFFSET ${offset}`
    const { entries, total } = await foundOf(rows, () => sql`SELECT count(*)::int AS total ${from}`)
    return { entries: names(entries), total }
  },

  allMembers: async (groupnames) =>
    names(
      await sql<{ name: string }[]>`
      WITH RECURSIVE reached AS (
        SELECT unnest(${[...groupnames]}::text[]) AS groupname
        UNION
        SELECT g.member FROM group_members g JOIN reached r ON g.kind = 'group' AND g.groupname = r.groupname
      )
      SELECT DISTINCT u.username AS name FROM reached r
      JOIN group_members g ON g.groupname = r.groupname AND g.kind = 'user'
      JOIN users u ON u.username = g.member AND u.is_enabled
      ORDER BY u.username`,
    ),

  addMember: async (groupname, member, kind) => {
    await sql`
      INSERT INTO group_members (groupname, member, kind) VALUES (${groupname}, ${member}, ${kind})
      ON CONFLICT DO NOTHING`
  },

  removeMember: async (groupname, member, kind) => {
    await sql`
      DELETE FROM group_members WHERE groupname = ${groupname} AND member = ${member} AND kind = ${kind}`
  },

  setMembers: async (groupname, kind, members) => {
    const wanted = [...members]
    await sql`
      DELETE FROM group_members
      WHERE groupname = ${groupname} AND kind = ${kind} AND NOT member = ANY(${wanted})`
    await sql`
      INSERT INTO group_members (groupname, member, kind)
      SELECT ${groupname}, member, ${kind} FROM unnest(${wanted}::text[]) AS wanted(member)
      ON CONFLICT DO NOTHING`
  },

  setMemberOf: async (member, kind, groupnames) => {
    const wanted = [...groupnames]
    await sql`
      DELETE FROM group_members
      WHERE member = ${member} AND kind = ${kind} AND NOT groupname = ANY(${wanted})`
    await sql`
      INSERT INTO group_members (groupname, member, kind)
      SELECT groupname, ${member}, ${kind} FROM unnest(${wanted}::text[]) AS wanted(groupname)
      ON CONFLICT DO NOTHING`
  },

  lockMemberships: async () => {
    await sql`SELECT pg_advisory_xact_lock(${MEMBERSHIP_LOCK})`
  },
})
