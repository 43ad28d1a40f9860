import { and, eq, getTableColumns, sql as text } from 'drizzle-orm'
import type { User, UserStore } from '../../../core/access/identity/index.js'
import { groupMembers, users } from '../../../schema/identity.js'
import { type Sql, typed } from '../connection/index.js'
import { anyOf, foundOf, paged, TOTAL } from '../rows/index.js'
import { changeOf, inOrder } from './entities.js'
import { searchCondition, searchOrder, USER_FIELDS } from './search.js'

const { createdAt: _, ...COLUMNS } = getTableColumns(users)
const { username: NAME } = users

export const createUserStore = (sql: Sql): UserStore => {
  const db = typed(sql)
  const named = (username: string) => eq(NAME, username)
  return {
    user: async (username) => {
      const [row] = await db.select(COLUMNS).from(users).where(named(username))
      return row as User | undefined
    },

    users: async (usernames) => {
      const rows = await db.select(COLUMNS).from(users).where(anyOf(NAME, usernames))
      return inOrder(rows as User[], usernames, ({ username }) => username)
    },

    searchUsers: async (search) => {
      const where = searchCondition(search, USER_FIELDS)
      const all = db
        .select({ ...COLUMNS, total: TOTAL })
        .from(users)
        .where(where)
      const rows = await paged(all.orderBy(...searchOrder(search, USER_FIELDS)).$dynamic(), search)
      return foundOf(rows as (User & { total: number })[], () => db.$count(users, where))
    },

    insertUser: async ({ properties = {}, ...user }) => {
      const values = { ...user, properties }
      return (
        (await db.insert(users).values(values).onConflictDoNothing().returning({ name: NAME })).length === 1
      )
    },

    updateUser: async (username, change) => {
      // Set to itself, as there must be something to set.
      const set = { username: text`${NAME}`, ...changeOf(change, users.properties) }
      return (await db.update(users).set(set).where(named(username)).returning({ name: NAME })).length === 1
    },

    setPasswordHash: async (username, passwordHash) => {
      await db.update(users).set({ passwordHash }).where(named(username))
    },

    replacePasswordHash: async (username, { from, to }) => {
      await db
        .update(users)
        .set({ passwordHash: to })
        .where(and(named(username), eq(users.passwordHash, from)))
    },

    removeUser: async (username) => {
      const { kind, member } = groupMembers
      await db.delete(groupMembers).where(and(eq(kind, 'user'), eq(member, username)))
      return (await db.delete(users).where(named(username)).returning({ name: NAME })).length === 1
    },
  }
}
