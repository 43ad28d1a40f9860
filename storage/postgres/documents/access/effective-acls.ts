import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import {
  browsersOf,
  type EffectiveAcl,
  type PermissionModel,
} from '../../../../core/access/security/index.js'
import { aclScopes, acls } from '../../../../schema/documents.js'
import type { Sql } from '../../connection/index.js'
import { columnsOf, named, tableOf } from '../../rows/index.js'

const ACL = columnsOf(acls)
const ACLS = tableOf(acls)
const ACL_SCOPES = tableOf(aclScopes)
const a = columnsOf(acls, 'a')
const o = columnsOf(acls, 'o')
const s = columnsOf(aclScopes, 's')

/** Rows of `acls` never change in what they grant, so what a process has read once it may keep. */
export type AclCache = Pick<Map<number, EffectiveAcl>, 'get'> & {
  set(aclId: number, acl: EffectiveAcl): unknown
}

const MAX_CACHED_ACLS = 20_000

/** Of all stores on one database. */
export const createAclCache = (): AclCache => new LRUCache<number, EffectiveAcl>({ max: MAX_CACHED_ACLS })

/** Names the permissions that decide about browsing, on which the columns for queries depend. */
export const browsingFingerprint = (permissions: PermissionModel): string =>
  createHash('sha256')
    .update([...permissions.accepted('Browse')].sort().join())
    .digest('hex')

/** What makes an effective ACL one row. */
export const fingerprintOf = (acl: EffectiveAcl): string =>
  createHash('sha256').update(JSON.stringify(acl)).digest('hex')

export type EffectiveAcls = {
  /** What an ACL grants; nothing for the key 0. */
  read(aclId: number): Promise<EffectiveAcl>
  /** The keys of some ACLs, in their order; those that are new are stored. */
  intern(acls: readonly EffectiveAcl[]): Promise<number[]>
  /** Entries of those in force that have more than `long`, and that queries walk. */
  walked(long: number): Promise<number>
}

/** Entries that one statement stores, some 2 MB: others have their turn between two. */
const STORED_AT_ONCE = 20_000

/** In one order, so that two transactions with the same new ACLs wait for instead of blocking one another. */
const slicesOf = (acls: ReadonlyMap<string, EffectiveAcl>): Map<string, EffectiveAcl>[] => {
  const slices: Map<string, EffectiveAcl>[] = []
  let room = 0
  for (const [fingerprint, acl] of [...acls].sort(([one], [other]) => (one < other ? -1 : 1))) {
    if (room < acl.length || slices.length === 0) {
      slices.push(new Map())
      room = STORED_AT_ONCE
    }
    slices.at(-1)?.set(fingerprint, acl)
    room -= acl.length
  }
  return slices
}

export const createEffectiveAcls = (
  sql: Sql,
  { permissions, cache }: { permissions: PermissionModel; cache: AclCache },
): EffectiveAcls => {
  const known = async (fingerprints: readonly string[]): Promise<Map<string, number>> => {
    const rows = await named(sql)<{ id: number; fingerprint: string }[]>`
      SELECT ${ACL.id}, ${ACL.fingerprint} FROM ${ACLS} WHERE ${ACL.fingerprint} = ANY (${sql.array([...fingerprints])}::text[])`
    return new Map(rows.map(({ id, fingerprint }) => [fingerprint, id]))
  }

  const store = async (acls: ReadonlyMap<string, EffectiveAcl>): Promise<void> => {
    const rows = [...acls].map(([fingerprint, acl]) => {
      const { browsers, isPlain } = browsersOf(acl)
      return { fingerprint, entries: acl, browsers, isPlain, readsVersions: readsVersions(acl) }
    })
    await named(sql)`
      INSERT INTO ${ACLS} (${ACL.fingerprint}, ${ACL.entries}, ${ACL.browsers}, ${ACL.isPlain}, ${ACL.readsVersions}, ${ACL.browsing})
      SELECT r.fingerprint, r.entries, r.browsers, r."isPlain", r."readsVersions", ${browsingFingerprint(permissions)}
      FROM jsonb_to_recordset(${sql.json(rows as never)})
        AS r(fingerprint text, entries jsonb, browsers text[], "isPlain" boolean, "readsVersions" boolean)
      ORDER BY r.fingerprint
      ON CONFLICT (${ACL.fingerprint}) DO NOTHING`
  }

  return {
    read: async (aclId) => {
      if (aclId === 0) return []
      const cached = cache.get(aclId)
      if (cached) return cached
      const [row] = await named(sql)<
        { entries: EffectiveAcl }[]
      >`SELECT ${ACL.entries} FROM ${ACLS} WHERE ${ACL.id} = ${aclId}`
      if (!row) throw new Error(`The effective ACL ${aclId} is missing`)
      cache.set(aclId, row.entries)
      return row.entries
    },
    walked: async (long) => {
      const [row] = await named(sql)<{ entries: number }[]>`
        SELECT coalesce(sum(jsonb_array_length(${a.entries})), 0)::int AS entries FROM ${ACLS} a
        WHERE NOT ${a.isPlain} AND jsonb_array_length(${a.entries}) > ${long}
          AND EXISTS (SELECT FROM ${ACL_SCOPES} s WHERE ${s.aclId} = ${a.id})`
      return row?.entries ?? 0
    },
    intern: async (acls) => {
      const fingerprints = acls.map(fingerprintOf)
      let keys = await known(fingerprints)
      const missing = new Map(
        acls
          .map((acl, position) => [fingerprints[position] ?? '', acl] as const)
          .filter(([f]) => !keys.has(f)),
      )
      if (missing.size > 0) {
        for (const some of slicesOf(missing)) await store(some)
        keys = await known(fingerprints)
      }
      return fingerprints.map((fingerprint) => {
        const id = keys.get(fingerprint)
        if (id === undefined) throw new Error('An effective ACL was not stored')
        return id
      })
    },
  }
}

const readsVersions = (acl: EffectiveAcl): boolean =>
  acl.some(({ permission }) => permission === 'ReadVersion')

/**
 * Derives again what queries test, where it was derived with other permissions: a deployment may have changed
 * what includes `Browse`.
 *
 * @returns how many ACLs were derived again.
 */
export const deriveAclsAnew = async (sql: Sql, permissions: PermissionModel): Promise<number> => {
  const browsing = browsingFingerprint(permissions)
  const accepted = permissions.accepted('Browse')
  const rows = await named(sql)<{ id: number; entries: EffectiveAcl }[]>`
    SELECT ${ACL.id}, ${ACL.entries} FROM ${ACLS} WHERE ${ACL.browsing} <> ${browsing} ORDER BY ${ACL.id} FOR UPDATE`
  const derived = rows.map(({ id, entries }) => {
    const acl = entries.map((ace) => ({ ...ace, browse: accepted.has(ace.permission) }))
    return { id, acl, fingerprint: fingerprintOf(acl), ...browsersOf(acl) }
  })
  if (derived.length === 0) return 0
  // Another process may have stored the same entries under a number of their own meanwhile: both remain right.
  await named(sql)`
    UPDATE ${ACLS} a SET ${ACL.entries} = r.acl, ${ACL.browsers} = r.browsers, ${ACL.isPlain} = r."isPlain", ${ACL.browsing} = ${browsing},
      ${ACL.fingerprint} = CASE WHEN EXISTS (SELECT FROM ${ACLS} o WHERE ${o.fingerprint} = r.fingerprint AND ${o.id} <> ${a.id})
        THEN r.fingerprint || ':' || ${a.id} ELSE r.fingerprint END
    FROM jsonb_to_recordset(${sql.json(derived as never)})
      AS r(id int, acl jsonb, fingerprint text, browsers text[], "isPlain" boolean)
    WHERE ${a.id} = r.id`
  return derived.length
}
