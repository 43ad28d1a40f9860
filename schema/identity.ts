import {
  bigint,
  boolean,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  timestamp,
} from 'drizzle-orm/pg-core'

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

/** What users have written lately, of which their budget of a day is forgotten in each day, evenly. */
export const userWrites = pgTable('user_writes', {
  username: text('username').primaryKey(),
  /** At `at`. */
  characters: bigint('characters', { mode: 'number' }).notNull(),
  at: timestamp('at', { withTimezone: true }).notNull(),
})

/** Tries of clients to log in, to slow them down in every process, and where accounts have logged in lately. */
export const loginTries = pgTable(
  'login_tries',
  {
    /** Digest of the address and the name that is tried; with a word before it, what else is counted of a name. */
    client: text('client').primaryKey(),
    tries: integer('tries').notNull(),
    /** When the next one may be checked, or what is known here means nothing any more. */
    nextAt: timestamp('next_at', { withTimezone: true }).notNull(),
    lastAt: timestamp('last_at', { withTimezone: true }).notNull(),
  },
  (t) => [index('login_tries_last').on(t.lastAt), index('login_tries_next').on(t.nextAt)],
)
