import { expect, test } from 'vitest'
import { z } from 'zod'
import { fail } from '../../errors/index.js'
import type { ContributionVersion } from '../deployment/contribution-store.js'
import { NOTHING_DEPLOYED, withVersion } from '../deployment/feed.js'
import { defineExtensionPoint } from '../extension-point.js'
import { defineRegistry, type Snapshot } from './snapshot.js'
import { createSnapshots } from './snapshots.js'

const shelves = defineExtensionPoint({
  point: 'shelves',
  schema: z.strictObject({ height: z.number().default(1), beside: z.string().optional() }),
  references: ({ beside }) => (beside ? [{ path: ['beside'], point: 'shelves', name: beside }] : []),
})
const doors = defineExtensionPoint({
  point: 'doors',
  schema: z.strictObject({ lock: z.enum(['bolt', 'chain']) }),
  standIns: (deployed) => [{ lock: deployed }, { lock: 'bolt' }],
})
const apart = defineExtensionPoint({ point: 'apart', schema: z.unknown() })

let built = 0
const heights = defineRegistry({
  name: 'heights',
  build: (contributions) => {
    built += 1
    const sum = [...contributions.get(shelves).values()].reduce((total, { height }) => total + height, 0)
    if (sum > 100) throw fail('invalid', 'too high')
    return { sum, names: [...contributions.get(shelves).keys()] }
  },
})

const locked = defineRegistry({
  name: 'locked',
  build: (contributions) => [...contributions.get(doors)].map(([name, { lock }]) => [name, lock]),
})

let marks = 0
const version = (name: string, source: string, point = 'shelves'): ContributionVersion => ({
  point,
  name,
  source,
  version: 1,
  format: 'yaml',
  content: null,
  isDeleted: false,
  author: 'ann',
  createdAt: new Date(0),
  mark: String(marks++),
})

const create = (text = 'shelves: { a: { height: 2 } }') => {
  const refused: string[] = []
  const snapshots = createSnapshots({
    files: [{ file: 'a.yaml', text }],
    points: [shelves, doors, apart],
    apart: ['apart'],
    definitions: [heights, locked],
    onRefused: (contribution) => refused.push(contribution),
  })
  return { snapshots, refused }
}

const deployedOf = (...versions: ContributionVersion[]) => versions.reduce(withVersion, NOTHING_DEPLOYED)

test('what is deployed is merged over the files, in the order of names whichever came first', () => {
  const { snapshots } = create()
  const [c, b, a] = [version('c', 'height: 3'), version('b', ''), version('a', 'beside: c')]
  for (const deployed of [deployedOf(c, b, a), deployedOf(a, b, c)])
    expect(snapshots.of(deployed).get(heights)).toEqual({ sum: 6, names: ['a', 'b', 'c'] })
  expect(snapshots.configured.get(heights).sum).toBe(2)
})

test('a snapshot is built once, and not for points that are kept apart', () => {
  const { snapshots } = create()
  const deployed = deployedOf(version('b', ''))
  const before = snapshots.of(deployed)
  built = 0
  expect(snapshots.of(deployed)).toBe(before)
  expect(snapshots.of(withVersion(deployed, version('x', '<not yaml', 'apart')))).toBe(before)
  expect(built).toBe(0)
})

test('what does not fit is left out, and only that', () => {
  const { snapshots, refused } = create()
  const deployed = deployedOf(version('lost', 'beside: gone'), version('bad', 'heigt: 1'), version('b', ''))
  expect(snapshots.of(deployed).get(heights).names).toEqual(['a', 'b'])
  expect(refused.sort()).toEqual(['shelves/bad', 'shelves/lost'])
  expect(snapshots.with(deployed, version('d', '')).get(heights).names).toEqual(['a', 'b', 'd'])
})

test.each([
  ['chain', 'chain'],
  ['lock: none', 'bolt'],
  ['not: [yaml', 'bolt'],
])('in the place of what does not fit comes what its point has: %s', (source, lock) => {
  const { snapshots, refused } = create()
  const deployed = deployedOf(version('front', source, 'doors'), version('bad', 'heigt: 1'))
  const locks = (snapshot: Snapshot) => [...snapshot.get(locked)]
  expect(locks(snapshots.of(deployed))).toEqual([['front', lock]])
  expect(refused.sort()).toEqual(['doors/front', 'shelves/bad'])
  expect(locks(snapshots.with(deployed, version('d', '')))).toEqual([['front', lock]])
  expect(locks(snapshots.with(deployed, version('front', 'lock: chain', 'doors')))).toEqual([
    ['front', 'chain'],
  ])
})

test('what no registry takes is left out too', () => {
  const { snapshots, refused } = create()
  expect(snapshots.of(deployedOf(version('tower', 'height: 200'))).get(heights).sum).toBe(2)
  expect(refused).toEqual(['shelves/tower'])
})

test.each([
  ['beside: nobody', { file: 'shelves/new', line: 1, column: 9, field: 'beside' }],
  ['heigt: 1', { file: 'shelves/new', line: 1, column: 1, field: 'heigt' }],
])('a version with %s is refused with its place', (source, place) => {
  const { snapshots } = create()
  expect(() => snapshots.with(NOTHING_DEPLOYED, version('new', source))).toThrow(
    expect.objectContaining({ code: 'invalid', details: [expect.objectContaining(place)] }),
  )
})

test('taking away what another needs names the other', () => {
  const { snapshots } = create()
  const deployed = deployedOf(version('b', ''), version('c', 'beside: b'))
  expect(() => snapshots.with(deployed, { ...version('b', ''), isDeleted: true })).toThrow(
    expect.objectContaining({ details: [expect.objectContaining({ file: 'shelves/c' })] }),
  )
})

test('a registry that is not listed is a fault of the product', () => {
  const { snapshots } = create()
  expect(() => snapshots.configured.get(defineRegistry({ name: 'other', build: () => 1 }))).toThrow(
    'The registry other is not listed',
  )
})
