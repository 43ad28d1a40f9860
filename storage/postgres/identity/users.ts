import type { Found, IdentityStore, User, UserChange } from '../../../core/access/identity/index.js'
import type { Sql } from '../connection/index.js'
import { orderAndPage, searchConditions, USER_COLUMNS } from './search.js'

const columns = (sql: Sql) => sql`
  username, password_hash AS "passwordHash", first_name AS "firstName", last_name AS "lastName", email, company,
  is_enabled AS "isEnabled", properties`

/** The columns that a change names; properties are joined with those that are there. */
const changes = (sql: Sql, { properties, ...change }: UserChange) => {
  const named: { [column in keyof UserChange]: string } = {
    passwordHash: 'password_hash',
    firstName: 'first_name',
    lastName: 'last_name',
    email: 'email',
    company: 'company',
    isEnabled: 'is_enabled',
  }
  const set = Object.entries(change)
    .filter(([, value]) => value !== undefined)
    .map(([field, value]) => sql`${sql(named[field as keyof UserChange]!)} = ${value}`)
  if (properties) set.push(sql`properties = jsonb_strip_nulls(properties || ${sql.json(properties)}::jsonb)`)
  return set.reduce((all, one) => sql`${all}, ${one}`, sql`username = username`)
}

type UserStore = Pick<
  IdentityStore,
  | 'user'
  | 'users'
  | 'searchUsers'
  | 'insertUser'
  | 'updateUser'
  | 'setPasswordHash'
  | 'replacePasswordHash'
  | 'removeUser'
>

export const createUserStore = (sql: Sql): UserStore => ({
  user: async (username) => {
    const [row] = await sql<User[]>`SELECT ${columns(sql)} FROM users WHERE username = ${username}`
    return row
  },

  users: async (usernames) => {
    const rows = await sql<User[]>`
      SELECT ${columns(sql)} FROM users JOIN unnest(${[...usernames]}::text[])
        WITH ORDINALITY AS wanted(name, place) ON username = name
      ORDER BY place`
    return [...rows]
  },

  searchUsers: async (search): Promise<Found<User>> => {
    const where = searchConditions(sql, search, USER_COLUMNS)
    const rows = await sql<(User & { total: number })[]>`
      SELECT ${columns(sql)}, (count(*) OVER ())::int AS total FROM users ${where}
      ${orderAndPage(sql, search, { columns: USER_COLUMNS, name: 'username' })}`
    return foundOf(rows, () => sql`SELECT count(*)::int AS total FROM users ${where}`)
  },

  insertUser: async (user) => {
    const { count } = await sql`
      INSERT INTO users (username, password_hash, first_name, last_name, email, company, is_enabled, properties)
      VALUES (${user.username}, ${user.passwordHash}, ${user.firstName}, ${user.lastName}, ${user.email},
              ${user.company}, ${user.isEnabled}, ${sql.json(user.properties ?? {})})
      ON CONFLICT (username) DO NOTHING`
    return count === 1
  },

  updateUser: async (username, change) => {
    const { count } = await sql`UPDATE users SET ${changes(sql, change)} WHERE username = ${username}`
    return count === 1
  },

  setPasswordHash: async (username, hash) => {
    await sql`UPDATE users SET password_hash = ${hash} WHERE username = ${username}`
  },

  replacePasswordHash: async (username, { from, to }) => {
    await sql`
      UPDATE users SET password_hash = ${to} WHERE username = ${username} AND password_hash = ${from}`
  },

  removeUser: async (username) => {
    await sql`DELETE FROM group_members WHERE kind = 'user' AND member = ${username}`
    const { count } = await sql`DELETE FROM users WHERE username = ${username}`
    return count === 1
  },
})

/** A page with its total; a page behind the last one has no row to carry it. */
export const foundOf = async <Entity extends object>(
  rows: readonly (Entity & { total: number })[],
  count: () => PromiseLike<readonly unknown[]>,
): Promise<Found<Entity>> => {
  const [first] = rows
  const counted = first ?? ((await count())[0] as { total: number } | undefined)
  const entries = rows.map(({ total: _total, ...entity }) => entity as unknown as Entity)
  return { entries, total: counted?.total ?? 0 }
}
