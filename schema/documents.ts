import { sql } from 'drizzle-orm'
import {
  type AnyPgColumn,
  bigint,
  boolean,
  customType,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  smallint,
  text,
  timestamp,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { eventDepth } from './event-depth.js'

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
    /**
     * Identities that may browse, when `is_plain`. Else those of whom one must be asked for the entries to grant it, at
     * least the empty name; none in rows of release 0.1.0, whose entries are always asked.
     */
    browsers: text('browsers').array().notNull(),
    /** No denial but the final one of everybody and no dates: membership in `browsers` decides. */
    isPlain: boolean('is_plain').notNull(),
    /** An entry names `ReadVersion`, which counts as `Read` on versions: they are tested apart. */
    readsVersions: boolean('reads_versions').notNull().default(false),
    /** Fingerprint of the permissions that decided about browsing when the columns above were derived. */
    browsing: text('browsing').notNull().default(''),
  },
  (t) => [
    index('acls_browsers').using('gin', t.browsers),
    index('acls_reads_versions').on(t.id).where(sql`reads_versions`),
    index('acls_walked').on(t.id).where(sql`not is_plain`),
  ],
)

/**
 * One row for each document that holds local ACLs or held some: which effective ACL is in force from there
 * down to the next such document. What is in force on a document is that of the deepest scope whose path is
 * its own or an ancestor's; `documents.scope_id` remembers the answer (docs/security.md).
 */
export const aclScopes = pgTable(
  'acl_scopes',
  {
    id: integer('id').primaryKey().generatedAlwaysAsIdentity(),
    documentId: uuid('document_id')
      .notNull()
      .unique()
      .references((): AnyPgColumn => documents.id, { onDelete: 'cascade' }),
    /** Path of the document: moved with it. */
    path: pathText('path').notNull(),
    aclId: integer('acl_id').notNull(),
    /** Documents that belong to a deeper scope may still point here: the path decides. */
    isSplit: boolean('is_split').notNull().default(false),
    /** Documents in it may still point to the scope that it was cut out of. */
    isPending: boolean('is_pending').notNull().default(false),
  },
  (t) => [
    uniqueIndex('acl_scopes_path').on(t.path),
    index('acl_scopes_acl').on(t.aclId, t.id),
    index('acl_scopes_split').on(t.id).where(sql`is_split`),
    index('acl_scopes_pending').on(t.path).where(sql`is_pending`),
  ],
)

/**
 * How often it changed who may browse what: the sum of all rows moves in the transaction of each change. Several rows,
 * so that changes at the same time need not wait for one another.
 */
export const aclChanges = pgTable('acl_changes', {
  id: integer('id').primaryKey().generatedAlwaysAsIdentity(),
  mark: bigint('mark', { mode: 'bigint' }).notNull(),
})

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
    /** No foreign key: its check would lock one hot row of `acl_scopes` in every insert. */
    scopeId: integer('scope_id').notNull(),
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
    // A page of a folder costs the same however many children it has.
    index('documents_children').on(t.parentId, sql`(left(properties ->> 'dc:title', 200) COLLATE "C")`),
    index('documents_series').on(t.versionSeriesId).where(sql`version_series_id is not null`),
    index('documents_proxy_target').on(t.proxyTargetId).where(sql`proxy_target_id is not null`),
    index('documents_proxy_series')
      .on(t.proxyVersionSeriesId)
      .where(sql`proxy_version_series_id is not null`),
    // Types narrow nearly every query: what one may browse of a type is found without looking at the rest.
    index('documents_scope').on(t.scopeId, t.type),
    index('documents_tagged').on(t.scopeId).where(sql`properties ? 'nxtag:tags'`),
    // With the shortest list of what is yet to be sorted in: each search reads all of it.
    index('documents_properties')
      .using('gin', sql`properties jsonb_path_ops`)
      .with({ gin_pending_list_limit: 64 }),
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
    /** As of the last upkeep: 0 pending, 1 effective, 2 archived; null without dates (reference: security.md §7). */
    status: smallint('status'),
    /** What `Document.AddPermission` was asked about notifying the user. */
    notify: boolean('notify').notNull().default(false),
    comment: text('comment'),
  },
  (t) => [
    primaryKey({ columns: [t.documentId, t.position] }),
    index('document_acls_dated').on(t.documentId).where(sql`begins_at is not null or ends_at is not null`),
    index('document_acls_username').on(t.username),
    index('document_acls_creator').on(t.creator, t.documentId).where(sql`creator is not null`),
    index('document_acls_begins').on(t.beginsAt).where(sql`begins_at is not null`),
    index('document_acls_ends').on(t.endsAt).where(sql`ends_at is not null`),
  ],
)

/** What happened, written with its cause in one transaction; a relay feeds listeners from it in order. */
export const outbox = pgTable(
  'outbox',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    event: text('event').notNull(),
    documentId: uuid('document_id'),
    principal: text('principal').notNull(),
    /** Options of the event: path, type, comment, transition, … */
    payload: jsonb('payload').notNull(),
    createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
    /** Rows become visible in commit order only per transaction: the relay waits for older ones. */
    transactionId: text('transaction_id').notNull().default(sql`pg_current_xact_id()::text`),
    depth: eventDepth('depth'),
  },
  (t) => [index('outbox_relayed').on(sql`(transaction_id::bigint)`, t.id)],
)

/** How far the relay has read the outbox: every transaction before this one, and of this one up to an event. */
export const outboxCursors = pgTable('outbox_cursors', {
  name: text('name').primaryKey(),
  transactionId: bigint('transaction_id', { mode: 'number' }).notNull(),
  eventId: bigint('event_id', { mode: 'number' }).notNull(),
})
