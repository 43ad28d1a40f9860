import { expect, test, vi } from 'vitest'
import { principalOf } from '../../../access/security/index.js'
import type { DocumentRecord } from '../../../model/properties/index.js'
import type { Session } from '../session.js'
import { heldPermissions } from './held-permissions.js'

const grant = (permission: string) => [{ username: 'ann', permission, granted: true, browse: false }]
const ACLS = { 1: grant('Read'), 2: grant('Write') }

const effectiveAcl = vi.fn(async (id: keyof typeof ACLS) => ACLS[id])
const session = {
  principal: principalOf('ann', [], false),
  permissions: { policies: [], accepted: (permission: string) => new Set([permission]) },
  now: new Date(),
  stores: { acls: { effective: effectiveAcl } },
} as unknown as Session

const document = (id: string, aclId: number, lockOwner: string | null = null) =>
  ({
    id,
    aclId,
    type: 'File',
    facets: [],
    lifecycleState: null,
    lockOwner,
    isVersion: false,
  }) as unknown as DocumentRecord

test('the rights of documents that do not differ in them are looked at once', async () => {
  const documents = [document('a', 1), document('b', 2), document('c', 1), document('d', 1, 'bob')]
  expect(await heldPermissions(session, documents, ['Write', 'Read'])).toEqual([
    ['Read'],
    ['Write'],
    ['Read'],
    ['Read'],
  ])
  // Two permissions on each of a and c together, b, and d, which is locked: a policy might look at that.
  expect(effectiveAcl).toHaveBeenCalledTimes(6)
})
