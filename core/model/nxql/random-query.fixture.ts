import { seededRandom } from '../../../test/support/random.js'

/** Choices at random, so that a failing case can be run again by its seed. */
export const createRandom = (seed: number) => {
  const next = seededRandom(seed)
  const below = (limit: number): number => Math.floor(next() * limit)
  const pick = <T>(items: readonly [T, ...T[]]): T => items[below(items.length)] ?? items[0]
  return { below, pick, chance: (share: number): boolean => next() < share }
}

export type Random = ReturnType<typeof createRandom>

/** Stands in values and damaged names of random queries, and must never stand in a statement. */
export const MARK = 'zq9'

const STRINGS = [
  `'${MARK}'`,
  "'a'",
  "''",
  '"b%"',
  String.raw`'x\_\\y'`,
  "'art/painting'",
  "'00000000-0000-4000-8000-000000000001'",
  "'/ws/a'",
] as const
const NUMBERS = ['0', '1', '-5', '2.5', '9223372036854775807', '1e300'] as const
const DATES = ["DATE '2020-02-29'", "TIMESTAMP '2020-01-01 10:00:00'", 'NOW()', "NOW('-P1D')"] as const

/** References by the kind of value that fits them. */
const REFERENCES = {
  string: [
    'dc:title',
    'dc:subjects',
    'dc:subjects/*',
    'dc:subjects/*1',
    'dc:subjects/0',
    's:address/city',
    's:people/*/name',
    's:people/*1/name',
    's:people/*/tags',
    's:people/*1/tags/*',
    's:people/item[1]/name',
    'file:content/mime-type',
    'files:files/*/file/name',
    'ecm:uuid',
    'ecm:parentId',
    'ecm:name',
    'ecm:primaryType',
    'ecm:currentLifeCycleState',
    'ecm:versionLabel',
    'ecm:lockOwner',
    'ecm:versionVersionableId',
    'ecm:proxyTargetId',
    'ecm:tag',
    'ecm:tag/*',
    'ecm:tag/*1',
    'ecm:acl/*/principal',
    'ecm:acl/*1/principal',
    'ecm:acl/*1/permission',
    'ecm:acl/*1/name',
  ],
  number: [
    's:score',
    's:size',
    's:numbers',
    's:numbers/*',
    's:people/*/age',
    's:people/*1/age',
    'file:content/length',
    'ecm:pos',
    'ecm:acl/*1/pos',
    'ecm:acl/*1/status',
  ],
  date: [
    'dc:created',
    'dc:modified',
    's:dates',
    's:dates/*',
    'ecm:versionCreated',
    'ecm:lockCreated',
    'ecm:acl/*1/begin',
    'ecm:acl/*/end',
  ],
  day: ['DATE(dc:created)', 'DATE(s:dates/*)', 'DATE(ecm:versionCreated)'],
  flag: [
    's:flag',
    'ecm:isProxy',
    'ecm:isVersion',
    'ecm:isTrashed',
    'ecm:acl/*1/grant',
    'ecm:isCheckedIn',
    'ecm:isLatestVersion',
  ],
} as const

type Kind = keyof typeof REFERENCES

const VALUES: Readonly<Record<Kind, readonly [string, ...string[]]>> = {
  string: STRINGS,
  number: [...NUMBERS, "'1'", "'2.5'"],
  date: [...DATES, "'2020-02-29'", "'2020-01-01T10:00:00Z'"],
  day: ["DATE '2020-02-29'", "DATE '2019-01-01'", "'2020-02-29'"],
  flag: ['0', '1', "'true'"],
}

const COMPARISONS = ['=', '!=', '<>', '<', '>', '<=', '>='] as const

const scalarCondition = (random: Random, kind: Kind): string => {
  const reference = random.pick(REFERENCES[kind])
  const value = () => random.pick(VALUES[kind])
  const not = random.chance(0.3) ? ' NOT' : ''
  if (kind === 'flag') return `${reference} ${random.pick(['=', '<>'])} ${value()}`
  const forms: [string, ...string[]] = [
    `${reference} ${random.pick(COMPARISONS)} ${value()}`,
    `${reference}${not} IN (${value()}, ${value()})`,
    `${reference}${not} BETWEEN ${value()} AND ${value()}`,
    `${reference} IS${not} NULL`,
  ]
  if (kind === 'string') {
    forms.push(
      `${reference}${not} LIKE ${value()}`,
      `${reference}${not} ILIKE ${value()}`,
      `${reference} STARTSWITH ${value()}`,
    )
  }
  return random.pick(forms)
}

const hierarchyCondition = (random: Random): string =>
  random.pick([
    `ecm:path ${random.pick(['=', '<>', 'STARTSWITH'])} ${random.pick(STRINGS)}`,
    `ecm:ancestorId ${random.pick(['=', '<>'])} ${random.pick(STRINGS)}`,
    `ecm:mixinType${random.chance(0.5) ? ' NOT' : ''} IN ('Folderish', 'Downloadable')`,
    "ecm:mixinType = 'Folderish'",
    `ecm:currentLifeCycleState ${random.pick(['=', '<>'])} 'deleted'`,
    `ecm:currentLifeCycleState${random.chance(0.5) ? ' NOT' : ''} IN ('deleted', 'project')`,
  ])

const SEARCHES = [
  "'a'",
  "'b c'",
  "'a OR b'",
  "'a -b'",
  "'-a'",
  "'a b OR -c'",
  String.raw`"\"a b\""`,
  "'pa*'",
  String.raw`"\"a pa%\" OR Éc"`,
  "'école'",
  "''",
] as const

const search = (random: Random): string => {
  const index = random.pick(['', '', '_title', '_description', '.dc:title'])
  return `ecm:fulltext${index} ${random.pick(['=', 'LIKE'])} ${random.pick(SEARCHES)}`
}

const computed = (random: Random): string => {
  const number = () =>
    random.pick(['s:score', 's:size', 's:people/*/age', 's:people/*1/age', 'ecm:pos', '1', '2.5'])
  const reference = random.pick(['s:size', 's:score', 'ecm:pos'])
  const sum = `${reference} ${random.pick(['+', '-', '*', '/'])} ${number()}`
  return random.pick([
    `${sum} ${random.pick(COMPARISONS)} ${number()}`,
    `${reference} ${random.pick(COMPARISONS)} s:people/*1/age`,
    `dc:title ${random.pick(COMPARISONS)} dc:description`,
    `dc:created ${random.pick(COMPARISONS)} ecm:versionCreated`,
  ])
}

const predicate = (random: Random, depth: number): string => {
  if (depth === 0 || random.chance(0.3)) {
    if (random.chance(0.15)) return hierarchyCondition(random)
    if (random.chance(0.1)) return search(random)
    if (random.chance(0.1)) return computed(random)
    return scalarCondition(random, random.pick(['string', 'string', 'number', 'date', 'day', 'flag']))
  }
  const left = predicate(random, depth - 1)
  const right = predicate(random, depth - 1)
  return random.pick([
    `${left} AND ${right}`,
    `${left} OR ${right}`,
    `(${left}) AND (${right})`,
    `NOT (${left})`,
    `NOT (${left} AND ${right})`,
    `(${left}) ${random.pick(['=', '<>'])} (${right})`,
  ])
}

/** The part of such a query after WHERE. */
export const randomPredicate = (random: Random): string => predicate(random, 3)

/** A query that the compiler takes, over the sample model. */
export const randomQuery = (random: Random): string => {
  const from = random.pick(['Document', 'File', 'Folder, File', 'Workspace'])
  const order = random.pick([
    '',
    '',
    ' ORDER BY dc:title',
    ' ORDER BY ecm:path DESC, s:size',
    ' ORDER BY DATE(dc:created), s:flag',
    ' ORDER BY s:address/city DESC, ecm:name',
    ' ORDER BY dc:title DESC, ecm:pos',
  ])
  return `SELECT * FROM ${from} WHERE ${randomPredicate(random)}${order}`
}

const SELECTED = [
  'dc:title',
  'ecm:uuid, dc:subjects',
  'dc:subjects/*',
  's:people/*1/name',
  'ecm:tag',
  'ecm:acl/*1/principal, ecm:acl/*1/status',
  'DISTINCT dc:title',
  'DISTINCT s:people/*/tags',
  'DISTINCT dc:subjects/*',
  'DISTINCT dc:subjects/*1, ecm:primaryType',
  'DISTINCT ecm:tag',
  'DISTINCT s:numbers/*, s:flag',
  'DISTINCT s:size, dc:created, ecm:isProxy, file:content/mime-type',
  'DISTINCT s:score, ecm:parentId, ecm:pos',
  'COUNT(ecm:uuid)',
  'SUM(s:size), AVG(s:score), MIN(dc:created), MAX(dc:title)',
  'MAX(ecm:versionCreated), COUNT(s:people/*1/age)',
  'COUNT(dc:title), COUNT(s:flag), COUNT(ecm:uuid)',
  'SUM(s:size), AVG(s:size), AVG(ecm:pos), MAX(s:size)',
  'MIN(dc:created), MAX(dc:title), MIN(ecm:uuid), MAX(s:score), MIN(file:content/length)',
  '*',
] as const

/** A query for rows, over the sample model. */
export const randomRecordQuery = (random: Random): string =>
  `SELECT ${random.pick(SELECTED)} FROM Document WHERE ${predicate(random, 2)}`

const FRAGMENTS = [
  MARK,
  ` "${MARK}" `,
  "'",
  '"',
  '\\',
  '(',
  ')',
  '/*+ES:',
  '*/',
  '/*',
  '*',
  '\n',
  '\u0000',
  '\ud800',
  '😀',
  ';',
  '?',
  ':',
  '--',
  '$1',
  'NOT ',
  ' AND ',
  ' OR ',
  'DATE',
  'TIMESTAMP',
  ' IN ',
  'NULL',
  '1e999',
  '99999999999999999999',
  '-',
  '0',
  ',',
  'ecm:',
  '/0',
  '[0]',
  '::text',
  'ecm:fulltext',
  'COUNT(',
  'DISTINCT ',
  's:people',
  'NOW(',
  'ecm:path ',
] as const

/** Damages a text in a few places: cuts, doubles, swaps in fragments. */
export const mutate = (text: string, random: Random): string => {
  let mutated = text
  for (let changes = 1 + random.below(4); changes > 0; changes -= 1) {
    const at = random.below(mutated.length + 1)
    const length = random.below(12)
    const middle = random.pick(['', random.pick(FRAGMENTS), mutated.slice(at, at + length).repeat(2)])
    mutated = mutated.slice(0, at) + middle + mutated.slice(at + random.below(length + 1))
  }
  return mutated
}
