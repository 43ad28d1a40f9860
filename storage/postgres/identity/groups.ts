import { and, eq, getTableColumns, sql as text } from 'drizzle-orm'
import type { Group, GroupStore } from '../../../core/access/identity/index.js'
import { groupMembers, groups } from '../../../schema/identity.js'
import { type Sql, typed } from '../connection/index.js'
import { anyOf, foundOf, paged, TOTAL } from '../rows/index.js'
import { changeOf, inOrder } from './entities.js'
import { GROUP_FIELDS, searchCondition, searchOrder } from './search.js'

const COLUMNS = getTableColumns(groups)
const { groupname: NAME } = groups

export const createGroupStore = (sql: Sql): GroupStore => {
  const db = typed(sql)
  const named = (groupname: string) => eq(NAME, groupname)
  return {
    group: async (groupname) => {
      const [row] = await db.select(COLUMNS).from(groups).where(named(groupname))
      return row as Group | undefined
    },

    groups: async (groupnames) => {
      const rows = await db.select(COLUMNS).from(groups).where(anyOf(NAME, groupnames))
      return inOrder(rows as Group[], groupnames, ({ groupname }) => groupname)
    },

    searchGroups: async (search) => {
      const where = searchCondition(search, GROUP_FIELDS)
      const all = db
        .select({ ...COLUMNS, total: TOTAL })
        .from(groups)
        .where(where)
      const rows = await paged(all.orderBy(...searchOrder(search, GROUP_FIELDS)).$dynamic(), search)
      return foundOf(rows as (Group & { total: number })[], () => db.$count(groups, where))
    },

    insertGroup: async ({ properties = {}, ...group }) => {
      const values = { ...group, properties }
      return (
        (await db.insert(groups).values(values).onConflictDoNothing().returning({ name: NAME })).length === 1
      )
    },

    updateGroup: async (groupname, change) => {
      // Set to itself, as there must be something to set.
      const set = { groupname: text`${NAME}`, ...changeOf(change, groups.properties) }
      return (await db.update(groups).set(set).where(named(groupname)).returning({ name: NAME })).length === 1
    },

    removeGroup: async (groupname) => {
      const { kind, member } = groupMembers
      await db.delete(groupMembers).where(and(eq(kind, 'group'), eq(member, groupname)))
      return (await db.delete(groups).where(named(groupname)).returning({ name: NAME })).length === 1
    },
  }
}
