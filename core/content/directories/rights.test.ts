import { expect, test } from 'vitest'
import { principalOf } from '../../access/security/index.js'
import { mayRead, mayWrite } from './rights.js'
import type { Directory } from './types.js'

const ADMINISTRATOR = principalOf('Administrator', ['administrators'], true)
const POWER = principalOf('power', ['powerusers'], false)
const LEGAL = principalOf('lee', ['legal'], false)
const ANN = principalOf('ann', ['members'], false)

const GROUPS = (...groups: string[]) => ({ groups, users: [] })

/** Who may read and write, of the administrator, a poweruser, a member of `legal`, and ann. */
test.each<[string, Partial<Directory>, string, string]>([
  ['nothing declared', { permissions: null }, 'APLn', 'AP..'],
  ['an empty declaration', { permissions: {} }, 'A...', 'A...'],
  ['Read for a group', { permissions: { Read: GROUPS('legal') } }, 'A.L.', 'A...'],
  ['Write implies Read', { permissions: { Write: GROUPS('legal') } }, 'A.L.', 'A.L.'],
  ['a user', { permissions: { Write: { groups: [], users: ['ann'] } } }, 'A..n', 'A..n'],
  ['Everyone reads', { permissions: { Read: GROUPS('Everyone') } }, 'APLn', 'A...'],
  ['Everyone writes', { permissions: { Write: GROUPS('Everyone') } }, 'APLn', 'APLn'],
  ['read-only binds administrators', { isReadOnly: true, permissions: null }, 'APLn', '....'],
  [
    'read-only before what is declared',
    { isReadOnly: true, permissions: { Write: GROUPS('legal') } },
    'A.L.',
    '....',
  ],
])('%s', (_case, settings, read, write) => {
  const directory = { isReadOnly: false, ...settings } as Directory
  const who = (may: typeof mayRead): string =>
    [ADMINISTRATOR, POWER, LEGAL, ANN]
      .map((principal, index) => (may(principal, directory) ? 'APLn'[index] : '.'))
      .join('')
  expect([who(mayRead), who(mayWrite)]).toEqual([read, write])
})
