import type { Found, Group, GroupChange, IdentityStore } from '../../../core/access/identity/index.js'
import type { Sql } from '../connection/index.js'
import { GROUP_COLUMNS, orderAndPage, searchConditions } from './search.js'
import { foundOf } from './users.js'

const columns = (sql: Sql) => sql`groupname, label, description, properties`

const changes = (sql: Sql, { label, description, properties }: GroupChange) => {
  const set = [
    ...(label === undefined ? [] : [sql`label = ${label}`]),
    ...(description === undefined ? [] : [sql`description = ${description}`]),
    ...(properties === undefined
      ? []
      : [sql`properties = jsonb_strip_nulls(properties || ${sql.json(properties)}::jsonb)`]),
  ]
  return set.reduce((all, one) => sql`${all}, ${one}`, sql`groupname = groupname`)
}

type GroupStore = Pick<
  IdentityStore,
  'group' | 'groups' | 'searchGroups' | 'insertGroup' | 'updateGroup' | 'removeGroup'
>

export const createGroupStore = (sql: Sql): GroupStore => ({
  group: async (groupname) => {
    const [row] = await sql<Group[]>`SELECT ${columns(sql)} FROM groups WHERE groupname = ${groupname}`
    return row
  },

  groups: async (groupnames) => {
    const rows = await sql<Group[]>`
      SELECT ${columns(sql)} FROM groups JOIN unnest(${[...groupnames]}::text[])
        WITH ORDINALITY AS wanted(name, place) ON groupname = name
      ORDER BY place`
    return [...rows]
  },

  searchGroups: async (search): Promise<Found<Group>> => {
    const where = searchConditions(sql, search, GROUP_COLUMNS)
    const rows = await sql<(Group & { total: number })[]>`
      SELECT ${columns(sql)}, (count(*) OVER ())::int AS total FROM groups ${where}
      ${orderAndPage(sql, search, { columns: GROUP_COLUMNS, name: 'groupname' })}`
    return foundOf(rows, () => sql`SELECT count(*)::int AS total FROM groups ${where}`)
  },

  insertGroup: async (group) => {
    const { count } = await sql`
      INSERT INTO groups (groupname, label, description, properties)
      VALUES (${group.groupname}, ${group.label}, ${group.description}, ${sql.json(group.properties ?? {})})
      ON CONFLICT (groupname) DO NOTHING`
    return count === 1
  },

  updateGroup: async (groupname, change) => {
    const { count } = await sql`UPDATE groups SET ${changes(sql, change)} WHERE groupname = ${groupname}`
    return count === 1
  },

  removeGroup: async (groupname) => {
    await sql`DELETE FROM group_members WHERE kind = 'group' AND member = ${groupname}`
    const { count } = await sql`DELETE FROM groups WHERE groupname = ${groupname}`
    return count === 1
  },
})
