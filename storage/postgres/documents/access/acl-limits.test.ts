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

test.each([true, false])('one ACL is short, or no longer than it was (administrator: %s)', async (is) => {
  const { requireShort } = createAclLimits({ isAdministrator: is })
  const was = (count: number) => async () => count
  await requireShort('/a', acl(2_000), was(0))
  await requireShort('/a', acl(2_500), was(2_500))
  await expect(requireShort('/a', acl(2_001), was(2_000))).rejects.toMatchObject(tooMany)
  await expect(requireShort('/a', acl(2_501), was(2_500))).rejects.toMatchObject(tooMany)
})
