import { expect, test } from 'vitest'
import { createAclLimits } from './acl-limits.js'

const entry = { username: 'u', permission: 'Read', granted: true, browse: true }
const acl = (length: number) => Array.from({ length }, () => entry)
const tooMany = { code: 'badRequest', message: expect.stringContaining('would have') }

test('entries add up, but for administrators', () => {
  const user = createAclLimits({ isAdministrator: false })
  for (let count = 0; count < 50; count++) user.spend(2_000)
  expect(() => user.spend(1)).toThrow(/more than 100000 entries/)
  createAclLimits({ isAdministrator: true }).spend(1_000_000)
})

test.each([
  [false, false, 2_000],
  [false, true, 2_000],
  [true, false, 2_000],
  [true, true, 3_000],
])('one ACL is short, or no longer than it was (administrator: %s, below: %s)', async (is, isBelow, most) => {
  const { requireShort } = createAclLimits({ isAdministrator: is })
  const require = (length: number, was: number) =>
    requireShort({ path: '/a', acl: acl(length), isBelow }, async () => was)
  await require(most, 0)
  await require(most + 500, most + 500)
  await expect(require(most + 1, most)).rejects.toMatchObject(tooMany)
  await expect(require(most + 501, most + 500)).rejects.toMatchObject(tooMany)
})
