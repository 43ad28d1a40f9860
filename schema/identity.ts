import { boolean, index, jsonb, pgTable, primaryKey, text, timestamp } from 'drizzle-orm/pg-core'

export const users = pgTable('users', {
  username: text('username').primaryKey(),
  /** `{scrypt}…`; null for users whom another system authenticates. */
  passwordHash: text('password_hash'),
  firstName: text('first_name'),
  lastName: text('last_name'),
  email: text('email'),
  company: text('company'),
  properties: jsonb('properties').notNull().default({}),
  isEnabled: boolean('is_enabled').notNull().default(true),
  createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
})

export const groups = pgTable('groups', {
  groupname: text('groupname').primaryKey(),
  label: text('label'),
  description: text('description'),
  properties: jsonb('properties').notNull().default({}),
})

/** Members of a group: users, and groups in groups. */
export const groupMembers = pgTable(
  'group_members',
  {
    groupname: text('groupname')
      .notNull()
      .references(() => groups.groupname, { onDelete: 'cascade', onUpdate: 'cascade' }),
    member: text('member').notNull(),
    kind: text('kind', { enum: ['user', 'group'] }).notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.groupname, t.kind, t.member] }),
    index('group_members_member').on(t.kind, t.member),
  ],
)
