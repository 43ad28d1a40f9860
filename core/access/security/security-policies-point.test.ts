import { expect, test } from 'vitest'
import { securityPoliciesPoint } from './security-policies-point.js'

const DENYING = { replace: true, decision: 'deny' }

test.each<[string, unknown, object[]]>([
  [
    'a denial goes on to deny, on documents of every type',
    {
      decision: 'deny',
      order: 3,
      permissions: ['Write'],
      when: { types: ['Gone'], identities: ['interns'] },
    },
    [
      { ...DENYING, order: 3, when: { identities: ['interns'] }, permissions: ['Write'] },
      { ...DENYING, order: 3, when: { identities: ['interns'] } },
    ],
  ],
  [
    'a query that cannot be asked is met by no document',
    { query: 'gone:x = 1', permissions: ['Browse'], when: { identities: ['interns'] } },
    [{ ...DENYING, permissions: ['Browse'] }, DENYING],
  ],
  ['a grant with a query is closed too', { decision: 'grant', query: 'gone:x = 1' }, [DENYING]],
  ['conditions that nobody understands are left out', { when: { identities: 'ann' } }, [DENYING]],
  ['what is no content denies everything', undefined, [DENYING]],
  ['a grant is left out', { decision: 'grant', when: { types: ['Gone'] } }, []],
  ['what is switched off is left out', { enabled: false, query: 'gone:x = 1' }, []],
  ['what takes away another is left out', { remove: true }, []],
])('%s', (_what, deployed, expected) => {
  expect(securityPoliciesPoint.standIns?.(deployed)).toEqual(expected)
})
