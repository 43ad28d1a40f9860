import { sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  customType,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  timestamp,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'

/** Paths compare byte by byte, so that a subtree is one range of the index: `path >= '/a/' and path < '/a0'`. */
const pathText = customType<{ data: string }>({ dataType: () => 'text COLLATE "C"' })

/**
 * Effective ACLs, each distinct one once and never changed: a document points to the row that holds its
 * own and inherited entries in order of evaluation. Whole subtrees share a row, so that read security in a
 * query is a join on a small table, and a process may cache a row by id for ever.
 */
export const acls = pgTable(
  'acls',
  {
    id: integer('id').primaryKey().generatedAlwaysAsIdentity(),
    /** SHA-256 of `entries`: what makes a row unique, since the entries may exceed an index tuple. */
    fingerprint: text('fingerprint').notNull().unique(),
    /** `[{ username, permission, granted, begin?, end? }]`, nearest first. */
    entries: jsonb('entries').notNull(),
    /** Identities that may browse, when `is_plain`. */
    browsers: text('browsers').array().notNull(),
    /** No denial but the final one of everybody and no dates: membership in `browsers` decides. */
    isPlain: boolean('is_plain').notNull(),
  },
  (t) => [index('acls_browsers').using('gin', t.browsers)],
)

export const documents = pgTable(
  'documents',
  {
    id: uuid('id').primaryKey(),
    parentId: uuid('parent_id'),
    name: text('name').notNull(),
    path: pathText('path'),
    position: integer('position'),
    type: text('type').notNull(),
    facets: text('facets').array().notNull().default(sql`'{}'`),
    lifecycleState: text('lifecycle_state'),
    isVersion: boolean('is_version').notNull().default(false),
    isProxy: boolean('is_proxy').notNull().default(false),
    isCheckedIn: boolean('is_checked_in').notNull().default(false),
    isTrashed: boolean('is_trashed').notNull().default(false),
    majorVersion: integer('major_version').notNull().default(0),
    minorVersion: integer('minor_version').notNull().default(0),
    versionSeriesId: uuid('version_series_id'),
    versionLabel: text('version_label'),
    versionDescription: text('version_description'),
    versionCreatedAt: timestamp('version_created_at', { withTimezone: true }),
    isLatestVersion: boolean('is_latest_version').notNull().default(false),
    isLatestMajorVersion: boolean('is_latest_major_version').notNull().default(false),
    baseVersionId: uuid('base_version_id'),
    /**
     * What a proxy shows: a version, or a live document. The columns that a proxy shares with it, properties
     * included, are kept equal by the trigger `documents_share_with_proxies`, so that queries need no join.
     */
    proxyTargetId: uuid('proxy_target_id'),
    /** Id of the live document whose version, or which itself, a proxy shows. */
    proxyVersionSeriesId: uuid('proxy_version_series_id'),
    /** Set on every target of a proxy and never taken back: whether the trigger has anything to do. */
    hasProxies: boolean('has_proxies').notNull().default(false),
    lockOwner: text('lock_owner'),
    lockedAt: timestamp('locked_at', { withTimezone: true }),
    systemToken: integer('system_token').notNull().default(0),
    userToken: integer('user_token').notNull().default(0),
    /** No foreign key: its check would lock one hot row of `acls` in every insert; rows there are never removed. */
    aclId: integer('acl_id').notNull(),
    properties: jsonb('properties').notNull(),
  },
  (t) => [
    uniqueIndex('documents_path').on(t.path).where(sql`path is not null`),
    index('documents_parent').on(t.parentId, t.name),
    index('documents_type').on(t.type, t.lifecycleState),
    index('documents_trashed').on(t.id).where(sql`is_trashed or lifecycle_state = 'deleted'`),
    index('documents_modified').on(sql`((properties ->> 'dc:modified') COLLATE "C")`),
    // A title may be longer than a row of an index: its beginning finds prefixes and sorts nearly all.
    index('documents_title').on(sql`(left(properties ->> 'dc:title', 200) COLLATE "C")`),
    index('documents_series').on(t.versionSeriesId).where(sql`version_series_id is not null`),
    index('documents_proxy_target').on(t.proxyTargetId).where(sql`proxy_target_id is not null`),
    index('documents_proxy_series')
      .on(t.proxyVersionSeriesId)
      .where(sql`proxy_version_series_id is not null`),
    index('documents_acl').on(t.aclId),
    index('documents_tagged').on(t.aclId).where(sql`properties ? 'nxtag:tags'`),
    index('documents_properties').using('gin', sql`properties jsonb_path_ops`),
  ],
)

/** Local ACLs as set on a document, in order. `inherited` is computed and never stored. */
export const documentAcls = pgTable(
  'document_acls',
  {
    documentId: uuid('document_id')
      .notNull()
      .references(() => documents.id, { onDelete: 'cascade' }),
    acl: text('acl').notNull(),
    /** Order of the ACLs of one document, then of the entries of one ACL. */
    position: integer('position').notNull(),
    username: text('username').notNull(),
    permission: text('permission').notNull(),
    granted: boolean('granted').notNull(),
    creator: text('creator'),
    beginsAt: timestamp('begins_at', { withTimezone: true }),
    endsAt: timestamp('ends_at', { withTimezone: true }),
  },
  (t) => [
    primaryKey({ columns: [t.documentId, t.position] }),
    index('document_acls_username').on(t.username),
  ],
)

/** What happened, written with its cause in one transaction; a relay feeds listeners from it in order. */
export const outbox = pgTable('outbox', {
  id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
  event: text('event').notNull(),
  documentId: uuid('document_id'),
  principal: text('principal').notNull(),
  /** Options of the event: path, type, comment, transition, … */
  payload: jsonb('payload').notNull(),
  createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
  /** Rows become visible in commit order only per transaction: the relay waits for older ones. */
  transactionId: text('transaction_id').notNull().default(sql`pg_current_xact_id()::text`),
})
