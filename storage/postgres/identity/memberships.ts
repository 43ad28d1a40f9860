import { and, asc, eq, ilike, notInArray, or, sql as text } from 'drizzle-orm'
import type { MemberKind, MembershipStore } from '../../../core/access/identity/index.js'
import { groupMembers } from '../../../schema/identity.js'
import { type Sql, typed } from '../connection/index.js'
import { anyOf, foundOf, likePattern, paged, TOTAL } from '../rows/index.js'
import { createNestedMemberships } from './nested-memberships.js'

/** Any number will do, as long as every process of the product uses the same one. */
const MEMBERSHIP_LOCK = 7_274_503

const { groupname: GROUP, member: MEMBER, kind: KIND } = groupMembers
const ROW = { groupname: GROUP, member: MEMBER, kind: KIND }

const isMember = (member: string, kind: MemberKind) => and(eq(MEMBER, member), eq(KIND, kind))
const isIn = (groupname: string, kind: MemberKind) => and(eq(GROUP, groupname), eq(KIND, kind))

export const createMembershipStore = (sql: Sql): MembershipStore => {
  const db = typed(sql)

  const groupsWith = async (member: string, kind: MemberKind): Promise<string[]> => {
    const rows = await db
      .select({ groupname: GROUP })
      .from(groupMembers)
      .where(isMember(member, kind))
      .orderBy(asc(GROUP))
    return rows.map(({ groupname }) => groupname)
  }

  const add = async (rows: readonly (typeof groupMembers.$inferInsert)[]): Promise<void> => {
    if (rows.length > 0)
      await db
        .insert(groupMembers)
        .values([...rows])
        .onConflictDoNothing()
  }

  return {
    ...createNestedMemberships(sql),
    directGroupsOf: (username) => groupsWith(username, 'user'),
    parentGroupsOf: (groupname) => groupsWith(groupname, 'group'),

    memberships: async (groupnames) =>
      db
        .select(ROW)
        .from(groupMembers)
        .where(or(anyOf(GROUP, groupnames), and(eq(KIND, 'group'), anyOf(MEMBER, groupnames))))
        .orderBy(asc(GROUP), asc(MEMBER)),

    membershipsOfUsers: async (usernames) =>
      db
        .select(ROW)
        .from(groupMembers)
        .where(and(eq(KIND, 'user'), anyOf(MEMBER, usernames)))
        .orderBy(asc(GROUP)),

    members: async (groupname, kind, { text: part, ...page } = {}) => {
      const matching = part ? ilike(MEMBER, likePattern(part, 'subany')) : undefined
      const where = and(isIn(groupname, kind), matching)
      const all = db.select({ name: MEMBER, total: TOTAL }).from(groupMembers).where(where)
      const rows = await paged(all.orderBy(text`lower(${MEMBER})`, asc(MEMBER)).$dynamic(), page)
      const { entries, total } = await foundOf(rows, () => db.$count(groupMembers, where))
      return { entries: entries.map(({ name }) => name), total }
    },

    addMember: (groupname, member, kind) => add([{ groupname, member, kind }]),

    removeMember: async (groupname, member, kind) => {
      await db.delete(groupMembers).where(and(isIn(groupname, kind), eq(MEMBER, member)))
    },

    setMembers: async (groupname, kind, members) => {
      await db.delete(groupMembers).where(and(isIn(groupname, kind), notInArray(MEMBER, [...members])))
      await add(members.map((member) => ({ groupname, member, kind })))
    },

    setMemberOf: async (member, kind, groupnames) => {
      await db.delete(groupMembers).where(and(isMember(member, kind), notInArray(GROUP, [...groupnames])))
      await add(groupnames.map((groupname) => ({ groupname, member, kind })))
    },

    lockMemberships: async () => {
      await db.execute(text`select pg_advisory_xact_lock(${MEMBERSHIP_LOCK})`)
    },
  }
}
