import type { Group, IdentityStore, User } from '../../../core/identity/index.js'
import type { Sql } from '../database.js'

export const createIdentityStore = (sql: Sql): IdentityStore => ({
  user: async (username) => {
    const [row] = await sql<User[]>`
      SELECT username, password_hash AS "passwordHash", first_name AS "firstName", last_name AS "lastName",
             email, company, is_enabled AS "isEnabled"
      FROM users WHERE username = ${username}`
    return row
  },

  directGroupsOf: async (username) => {
    const rows = await sql<{ groupname: string }[]>`
      SELECT groupname FROM group_members WHERE kind = 'user' AND member = ${username} ORDER BY groupname`
    return rows.map((row) => row.groupname)
  },

  groupsOf: async (username) => {
    // UNION, not UNION ALL: groups that contain one another must not go round for ever.
    const rows = await sql<{ groupname: string }[]>`
      WITH RECURSIVE memberships AS (
        SELECT groupname FROM group_members WHERE kind = 'user' AND member = ${username}
        UNION
        SELECT g.groupname FROM group_members g JOIN memberships m ON g.kind = 'group' AND g.member = m.groupname
      )
      SELECT groupname FROM memberships ORDER BY groupname`
    return rows.map((row) => row.groupname)
  },

  insertUser: async (user) => {
    const { count } = await sql`
      INSERT INTO users (username, password_hash, first_name, last_name, email, company, is_enabled)
      VALUES (${user.username}, ${user.passwordHash}, ${user.firstName}, ${user.lastName}, ${user.email},
              ${user.company}, ${user.isEnabled})
      ON CONFLICT (username) DO NOTHING`
    return count === 1
  },

  setPasswordHash: async (username, hash) => {
    await sql`UPDATE users SET password_hash = ${hash} WHERE username = ${username}`
  },

  insertGroup: async (group) => {
    const { count } = await sql`
      INSERT INTO groups (groupname, label, description)
      VALUES (${group.groupname}, ${group.label}, ${group.description})
      ON CONFLICT (groupname) DO NOTHING`
    return count === 1
  },

  addMember: async (groupname, member, kind) => {
    await sql`
      INSERT INTO group_members (groupname, member, kind) VALUES (${groupname}, ${member}, ${kind})
      ON CONFLICT DO NOTHING`
  },

  group: async (groupname) => {
    const [row] = await sql<
      Group[]
    >`SELECT groupname, label, description FROM groups WHERE groupname = ${groupname}`
    return row
  },
})
