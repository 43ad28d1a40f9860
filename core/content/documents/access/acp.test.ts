import { describe, expect, test } from 'vitest'
import type { Ace, Acl } from '../../../access/security/index.js'
import {
  addAce,
  blockInheritance,
  removeAcesByUsername,
  removeAcl,
  replaceAce,
  setAce,
  unblockInheritance,
} from './acp.js'

const ace = (username: string, permission = 'Read', granted = true): Ace => ({
  username,
  permission,
  granted,
})
const BLOCK = ace('Everyone', 'Everything', false)
const local = (...aces: Ace[]): Acl[] => [{ name: 'local', aces }]
const names = (acls: readonly Acl[]) =>
  acls.map(({ name, aces }) => [name, ...aces.map(({ username }) => username)])

describe('adding', () => {
  test.each([
    ['to nothing', [], [['local', 'ann']]],
    ['at the end, unsorted', local(ace('zoe')), [['local', 'zoe', 'ann']]],
    ['before the block', local(ace('zoe'), BLOCK), [['local', 'zoe', 'ann', 'Everyone']]],
    [
      'beside another ACL',
      [{ name: 'other', aces: [ace('zoe')] }],
      [
        ['other', 'zoe'],
        ['local', 'ann'],
      ],
    ],
  ])('%s', (_, before, after) => {
    expect(names(addAce(before, ace('ann')))).toEqual(after)
  })

  test('an equal entry changes nothing: dates and creator make the difference', () => {
    const before = local(ace('ann'))
    expect(addAce(before, ace('ann'))).toBe(before)
    expect(addAce(before, { ...ace('ann'), creator: 'bob' })).not.toBe(before)
    expect(addAce(before, { ...ace('ann'), end: '2020-01-01T00:00:00Z' })).not.toBe(before)
  })
})

test('replacing keeps the place, and does nothing when there is nothing to replace', () => {
  const before = local(ace('ann'), ace('bob'), ace('eve'))
  expect(names(replaceAce(before, { id: 'bob:Read:true:::', ace: ace('zoe') }))).toEqual([
    ['local', 'ann', 'zoe', 'eve'],
  ])
  expect(replaceAce(before, { id: 'bob:Write:true:::', ace: ace('zoe') })).toBe(before)
})

test('what a user has goes from one ACL or from all', () => {
  const before = [...local(ace('ann'), ace('bob')), { name: 'other', aces: [ace('ann')] }]
  expect(names(removeAcesByUsername(before, 'ann', 'local'))).toEqual([
    ['local', 'bob'],
    ['other', 'ann'],
  ])
  expect(names(removeAcesByUsername(before, 'ann'))).toEqual([['local', 'bob']])
  expect(removeAcesByUsername(before, 'eve')).toBe(before)
  expect(removeAcl(before, 'none')).toBe(before)
  expect(names(removeAcl(before, 'local'))).toEqual([['other', 'ann']])
})

describe('blocking', () => {
  const who = { username: 'ann', administrators: ['administrators', 'owners'] }

  test('gives everything to who blocks and to each group of administrators, once', () => {
    const blocked = blockInheritance(local(ace('bob')), who)
    expect(blocked[0]?.aces.slice(1)).toEqual([
      { ...ace('ann', 'Everything'), creator: 'ann' },
      { ...ace('administrators', 'Everything'), creator: 'ann' },
      { ...ace('owners', 'Everything'), creator: 'ann' },
      BLOCK,
    ])
    expect(blockInheritance(blocked, who)).toBe(blocked)
  })

  test('unblocking leaves the grants that blocking added (surprise 6)', () => {
    const unblocked = unblockInheritance(blockInheritance(local(ace('bob')), who))
    expect(names(unblocked)).toEqual([['local', 'bob', 'ann', 'administrators', 'owners']])
    expect(unblockInheritance(unblocked)).toBe(unblocked)
  })
})

describe('setting one entry', () => {
  const before = [...local(ace('ann'), ace('bob'), BLOCK), { name: 'other', aces: [ace('eve')] }]

  test('overwrites every other entry of every ACL (surprise 2)', () => {
    expect(names(setAce(before, { ace: ace('zoe'), overwrite: true }))).toEqual([['local', 'zoe']])
  })

  test('or follows those of other users and permissions', () => {
    const denied = { ...ace('ann'), granted: false }
    expect(setAce(before, { ace: denied, overwrite: false })).toEqual([
      { name: 'local', aces: [ace('bob'), BLOCK, denied] },
      before[1],
    ])
  })
})
