import { expect, test } from 'vitest'
import { canReach, mayPass } from './owner.js'

const owner = { uid: 101, gid: 104 }

test.each([
  ['everybody, a folder open to all', { uid: 0, gid: 0, mode: 0o755 }, true],
  ['nobody else, a closed folder', { uid: 0, gid: 0, mode: 0o700 }, false],
  ['everybody, a folder that can be passed but not listed', { uid: 0, gid: 0, mode: 0o711 }, true],
  ['its owner, a closed folder', { uid: 101, gid: 0, mode: 0o700 }, true],
  ['its group, a folder open to it', { uid: 0, gid: 104, mode: 0o710 }, true],
  ['its owner, not when only others may', { uid: 101, gid: 0, mode: 0o077 }, false],
])('lets pass %s', (_, folder, expected) => {
  expect(mayPass(folder, owner)).toBe(expected)
})

test('the root folder can be reached by anybody', () => {
  expect(canReach('/', owner)).toBe(true)
})
