import type { PermissionModel, Principal } from '../../../../core/access/security/index.js'
import type { AclStore } from '../../../../core/content/stores/index.js'
import type { DocumentRecord } from '../../../../core/model/properties/index.js'
import { aclScopes, acls as aclsTable, documentAcls, documents } from '../../../../schema/documents.js'
import type { Sql } from '../../connection/index.js'
import { columnsOf, INTO_OUTBOX, RECORD_COLUMNS, tableOf } from '../../rows/index.js'
import type { AclLimits } from './acl-limits.js'
import { type EffectiveAcls, fingerprintOf } from './effective-acls.js'
import { inheritAcls, parentOf } from './inheritance.js'
import { aceRows, storedAcls } from './own-acls.js'
import type { Scopes } from './scopes.js'

const ACE = columnsOf(documentAcls)
const SCOPE = columnsOf(aclScopes)
const ACL = columnsOf(aclsTable)
const DOCUMENT = columnsOf(documents)
const DOCUMENTS = tableOf(documents)

/** What is in force is read from the row of `acl`: the new scope is not yet visible to the statement that makes it. */
const SET_FIRST = `
  WITH acl AS (
    SELECT ${ACL.id} FROM ${tableOf(aclsTable)} WHERE ${ACL.fingerprint} = $3
  ), scope AS (
    INSERT INTO ${tableOf(aclScopes)} (${SCOPE.documentId}, ${SCOPE.path}, ${SCOPE.aclId}, ${SCOPE.isPending})
    SELECT $1::uuid, $2::text, acl.id, false FROM acl WHERE archivolt_scope_of($4::text) = $5::int
    RETURNING id
  ), aces AS (
    INSERT INTO ${tableOf(documentAcls)} (
      ${ACE.documentId}, ${ACE.acl}, ${ACE.position}, ${ACE.username}, ${ACE.permission}, ${ACE.granted}, ${ACE.creator}, ${ACE.beginsAt}, ${ACE.endsAt}, ${ACE.status}, ${ACE.notify}, ${ACE.comment})
    SELECT $1::uuid, r.acl, r.rank, r.username, r.permission, r.granted, r.creator, r.begin, r.end,
           archivolt_ace_status(r.begin, r.end, now()), coalesce(r.notify, false), r.comment
    FROM scope, ROWS FROM (jsonb_to_recordset($6::jsonb)
      AS (acl text, username text, permission text, granted boolean, creator text, "begin" timestamptz,
          "end" timestamptz, notify boolean, comment text)
    ) WITH ORDINALITY AS r(acl, username, permission, granted, creator, "begin", "end", notify, comment, rank)
  ), d AS (
    UPDATE ${DOCUMENTS} SET ${DOCUMENT.systemToken} = ${DOCUMENT.systemToken} + 1, ${DOCUMENT.scopeId} = scope.id
    FROM scope WHERE ${DOCUMENTS}.${DOCUMENT.id} = $1::uuid RETURNING ${DOCUMENTS}.*
  ), emitted AS (
    INSERT INTO ${INTO_OUTBOX}
    SELECT e.event, e."documentId"::uuid, $7::text, e.payload
    FROM d, jsonb_to_recordset($8::jsonb) AS e(event text, "documentId" text, payload jsonb)
  )
  SELECT ${RECORD_COLUMNS}, acl.id AS "ownAclId" FROM d, acl`

/**
 * The first ACLs of a document that is new and has nothing below it: two statements, where a change of ACLs takes a
 * dozen. It shares the scope above with others who do the same, and waits only for changes of that scope.
 *
 * @returns undefined, having written nothing, when the scope above was divided meanwhile.
 */
export const createFirstAcls =
  (
    sql: Sql,
    principal: Principal,
    {
      permissions,
      effectiveAcls,
      scopes,
      limits,
    }: { permissions: PermissionModel; effectiveAcls: EffectiveAcls; scopes: Scopes; limits: AclLimits },
  ) =>
  async (
    ...[document, acls, events]: Parameters<AclStore['setFirst']>
  ): Promise<DocumentRecord | undefined> => {
    const path = document.path ?? ''
    const parent = parentOf(path)
    if (parent === null) return undefined
    const above = await scopes.share(parent)
    const outer = await effectiveAcls.read(above.aclId)
    const [acl = []] = inheritAcls([{ path, own: storedAcls(acls) }], { outer, permissions })
    limits.spend(acl.length)
    await limits.requireShort({ path, acl, isBelow: false }, async () => 0)
    const values = [
      ...[document.id, path, fingerprintOf(acl), parent, above.id],
      ...[aceRows(acls), principal.name, events],
    ]
    const write = () =>
      sql.unsafe<(DocumentRecord & { ownAclId: number })[]>(SET_FIRST, values as never[], { prepare: true })
    let row: Awaited<ReturnType<typeof write>>[number] | undefined
    await limits.writeWalked([acl], effectiveAcls.walked, async () => {
      ;[row] = await write()
      if (row) return
      await effectiveAcls.intern([acl])
      ;[row] = await write()
    })
    if (!row) return undefined
    const { ownAclId, ...changed } = row
    return { ...changed, aclId: ownAclId }
  }
