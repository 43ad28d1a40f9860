import { describe, expect, test } from 'vitest'
import {
  type Ace,
  type AceStatus,
  type Acl,
  aceId,
  aceStatus,
  browsersOf,
  effectiveAcl,
  isBlock,
  isGranted,
} from './acl.js'
import { testPermissions } from './model.fixture.js'
import { principalOf } from './principal.js'

const permissions = testPermissions()
const NOW = new Date('2020-06-01T00:00:00.000Z')
const [PAST, FUTURE] = ['2020-05-31T00:00:00.000Z', '2020-06-02T00:00:00.000Z']
const ANN = principalOf('ann', ['staff'], false)

const grant = (username: string, permission = 'Read', more: Partial<Ace> = {}): Ace => ({
  username,
  permission,
  granted: true,
  ...more,
})
const deny = (username: string, permission = 'Read', more: Partial<Ace> = {}): Ace =>
  grant(username, permission, { granted: false, ...more })
const BLOCK = deny('Everyone', 'Everything')
const local = (...aces: Ace[]): Acl[] => [{ name: 'local', aces }]
const inForce = (...aces: Ace[]) => effectiveAcl(local(...aces), [], permissions)

const isHeld = (permission: string, aces: Ace[], { isVersion }: { isVersion?: boolean } = {}) =>
  isGranted({ acl: inForce(...aces), principal: ANN, permission, permissions, now: NOW, isVersion })

describe('the first entry that decides wins', () => {
  test.each<[string, Ace[], boolean]>([
    ['none', [], false],
    ['of the user', [grant('ann')], true],
    ['of a group', [grant('staff')], true],
    ['of everyone', [grant('Everyone')], true],
    ['of somebody else', [grant('bob')], false],
    ['of a compound', [grant('ann', 'ReadWrite')], true],
    ['of Everything', [grant('ann', 'Everything')], true],
    ['of what it includes', [grant('ann', 'Browse')], false],
    ['of another permission', [grant('ann', 'Write')], false],
    ['denying before granting', [deny('ann'), grant('staff')], false],
    ['granting before denying', [grant('ann'), deny('staff')], true],
    ['granting before the block', [grant('ann'), BLOCK], true],
    ['granting after the block', [BLOCK, grant('ann')], false],
    ['not begun', [grant('ann', 'Read', { begin: FUTURE })], false],
    ['begun', [grant('ann', 'Read', { begin: PAST, end: FUTURE })], true],
    ['over', [deny('ann', 'Read', { end: PAST }), grant('staff')], true],
  ])('%s', (_, aces, expected) => {
    expect(isHeld('Read', aces)).toBe(expected)
  })

  test.each([
    ['Browse', false],
    ['Read', false],
    // It decides about nothing else than itself.
    ['Remove', true],
  ])('one that denies %s before Everything is granted', (denied, isWriter) => {
    const aces = [deny('ann', denied), grant('ann', 'Everything')]
    expect(isHeld('WriteProperties', aces)).toBe(isWriter)
    expect(isHeld('Read', aces)).toBe(isWriter)
  })

  test('an administrator is asked for nothing', () => {
    const principal = principalOf('root', [], true)
    expect(
      isGranted({
        acl: [BLOCK].map((ace) => ({ ...ace, browse: true })),
        principal,
        permission: 'Read',
        permissions,
        now: NOW,
      }),
    ).toBe(true)
  })
})

describe('ReadVersion', () => {
  const readsVersions = [grant('ann', 'ReadVersion')]

  test.each([
    ['Read', true],
    ['Browse', true],
    ['ReadProperties', true],
    ['ReadVersion', true],
    ['Write', false],
    ['WriteProperties', false],
    ['ReadWrite', false],
    ['Secret', false],
    ['Everything', false],
    ['Unknown', false],
  ])('on a version gives %s: %s', (permission, expected) => {
    expect(isHeld(permission, readsVersions, { isVersion: true })).toBe(expected)
  })

  test.each(['Read', 'Browse', 'Write'])('on a live document does not give %s', (permission) => {
    expect(isHeld(permission, readsVersions)).toBe(false)
  })

  test('denied on a version takes Read', () => {
    expect(isHeld('Read', [deny('ann', 'ReadVersion'), grant('staff')], { isVersion: true })).toBe(false)
  })
})

describe('what is in force', () => {
  const inherited = inForce(grant('eve'))
  const names = (acls: Acl[]) => effectiveAcl(acls, inherited, permissions).map(({ username }) => username)

  test('are the own entries, then the inherited ones', () => {
    expect(names(local(grant('ann')))).toEqual(['ann', 'eve'])
    expect(names([...local(grant('ann')), { name: 'more', aces: [grant('bob')] }])).toEqual([
      'ann',
      'bob',
      'eve',
    ])
  })

  test('ends with the block, in whatever ACL it stands', () => {
    expect(names([...local(grant('ann'), BLOCK), { name: 'more', aces: [grant('bob')] }])).toEqual([
      'ann',
      'Everyone',
    ])
  })

  test('says of each entry whether it decides about browsing, and nothing of notices', () => {
    expect(inForce(grant('ann', 'Read', { notify: true, comment: 'why' }), grant('bob', 'Write'))).toEqual([
      { ...grant('ann'), browse: true },
      { ...grant('bob', 'Write'), browse: false },
    ])
  })
})

test.each<[string, Ace, boolean]>([
  ['everything denied to everyone', BLOCK, true],
  ['granted', { ...BLOCK, granted: true }, false],
  ['to somebody', { ...BLOCK, username: 'ann' }, false],
  ['one permission', { ...BLOCK, permission: 'Read' }, false],
  ['from some day on', { ...BLOCK, begin: PAST }, false],
  ['until some day', { ...BLOCK, end: FUTURE }, false],
])('a block is %s: %s', (_, ace, expected) => {
  expect(isBlock(ace)).toBe(expected)
})

test.each<[Pick<Ace, 'begin' | 'end'>, AceStatus]>([
  [{}, 'effective'],
  [{ begin: NOW.toISOString() }, 'effective'],
  [{ begin: FUTURE }, 'pending'],
  [{ end: NOW.toISOString() }, 'archived'],
  [{ end: FUTURE }, 'effective'],
  [{ begin: PAST, end: FUTURE }, 'effective'],
])('the entry %j is %s', (dates, status) => {
  expect(aceStatus(dates, NOW)).toBe(status)
})

test('an entry is named by its parts', () => {
  expect(aceId(deny('ann'))).toBe('ann:Read:false:::')
  expect(aceId(grant('ann', 'Read', { creator: 'bob', begin: PAST, end: FUTURE }))).toBe(
    `ann:Read:true:bob:${Date.parse(PAST)}:${Date.parse(FUTURE)}`,
  )
})

describe('queries test', () => {
  const browsers = (...aces: Ace[]) => browsersOf(inForce(...aces))

  test.each<[string, Ace[], string[]]>([
    ['nothing', [], []],
    [
      'those who may browse, once',
      [grant('ann'), grant('bob', 'ReadWrite'), grant('ann', 'Browse')],
      ['ann', 'bob'],
    ],
    ['none who may only write', [grant('ann'), grant('bob', 'Write')], ['ann']],
    ['none behind the block', [grant('ann'), BLOCK], ['ann']],
    ['all before the block', [grant('ann'), grant('bob'), BLOCK], ['ann', 'bob']],
  ])('%s by membership', (_, aces, expected) => {
    expect(browsers(...aces)).toEqual({ browsers: expected, isPlain: true })
  })

  test.each<[string, Ace[], string[]]>([
    ['that denies', [grant('ann'), deny('bob'), grant('staff')], ['ann', 'staff']],
    ['that begins', [grant('ann', 'Read', { begin: PAST }), grant('eve', 'Write')], ['ann']],
    ['that ends', [grant('ann', 'Read', { end: FUTURE }), deny('ann'), BLOCK], ['ann']],
    ['that grants nothing', [deny('ann'), grant('ann', 'Write')], ['']],
  ])('an entry %s in its place, for whom one may grant it', (_, aces, expected) => {
    expect(browsers(...aces)).toEqual({ browsers: expected, isPlain: false })
  })
})
