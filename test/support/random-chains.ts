import type { ChainStep, Operation, ParameterType, Value } from '../../core/automation/language/index.js'
import type { PropertyValue } from '../../core/model/properties/index.js'
import { randomSources } from '../../core/platform/sandbox/expressions/random-source.fixture.js'

/** Operations that reach beyond the transaction, take seconds, or act for somebody else, as they may. */
const LEFT_OUT =
  /^(Auth\.|Document\.(Mail|SendNotification)|Blob\.(CreateFromURL|Post|Export)|Bulk\.|WebUI|RunScriptFile)/

const PIECES: readonly PropertyValue[] = [
  ...[
    '',
    ' ',
    'a',
    '/fuzz',
    '/fuzz/note',
    '/secret/hidden',
    '.',
    '../x',
    '/nothing',
    'dc:title',
    'dc:subjects',
    'dc:created',
  ],
  ...[
    'file:content',
    'File',
    'Folder',
    'Note',
    'ann',
    'Everyone',
    'group:members',
    'Read',
    'delete',
    'project',
    'nature',
  ],
  ...[
    'SELECT * FROM Document',
    "SELECT * FROM Note WHERE dc:title = 'x",
    'true',
    '-1',
    '0',
    '1e400',
    '2020-01-01',
    '\\u0000',
    '%',
  ],
  ...[
    0,
    -1,
    1e15,
    0.5,
    true,
    false,
    null,
    [],
    ['a', null, 1],
    {},
    { a: { b: [1] } },
    { 'dc:title': 'x' },
    { __proto__: 1 },
  ],
  ...[
    'dc:title=x\ndc:subjects=a,b',
    'expr:',
    'expr:@{',
    '@{x}',
    'expr:Document["dc:title"]',
    'expr:@{Document.name}-@{Fn.getNextId("f")}',
  ],
  ...[
    'expr:CurrentDate.days(1)',
    'expr:Documents',
    'expr:This',
    'expr:Document.parent',
    'expr:Session.query("SELECT * FROM Document")',
  ],
]

const OF_TYPE: { readonly [type in ParameterType]?: readonly PropertyValue[] } = {
  boolean: [true, false, 'true', 'expr:1 == 1'],
  integer: [0, 1, 20, '3', 'expr:1 + 1'],
  long: [0, 1, 20, '3'],
  date: ['2020-01-01T00:00:00Z', 'expr:CurrentDate', 'expr:CurrentDate.days(3).date'],
  document: ['/fuzz', '/fuzz/note', '/secret', 'expr:Document', 'expr:Document.parent'],
  documents: ['expr:Documents', ['/fuzz/note', '/fuzz']],
  properties: [
    { 'dc:title': 'x' },
    'dc:title=x',
    { 'dc:subjects': ['a'] },
    { 'dc:title': 'expr:Document.name' },
  ],
}

/** Chains of steps that fit, more or less: most fail, each in its own way. The same random numbers give the same ones. */
export const randomChains = ({
  random,
  operations,
  documents,
}: {
  random: () => number
  operations: readonly Operation[]
  documents: readonly { id: string }[]
}) => {
  const known = operations.filter(({ id, isSlow }) => !isSlow && !LEFT_OUT.test(id))
  const sources = randomSources(Math.floor(random() * 2 ** 31))
  const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)]!

  const value = (type: ParameterType, declared: readonly string[]): PropertyValue => {
    const kind = random()
    if (kind < 0.4) return pick(OF_TYPE[type] ?? PIECES)
    if (kind < 0.5 && declared.length > 0) return pick(declared)
    if (kind < 0.6) return `expr:${sources.expression()}`
    if (kind < 0.65) return `expr:a @{${sources.expression()}} b`
    if (kind < 0.7) return pick(documents).id
    return pick(PIECES)
  }

  const step = (targets: readonly string[]): ChainStep => {
    const { id, params, callsTarget } = pick(known)
    const given: { [name: string]: PropertyValue } = {}
    for (const [name, { type, isRequired, values = [] }] of Object.entries(params))
      if (isRequired ? random() < 0.95 : random() < 0.3) given[name] = value(type, values)
    if (callsTarget && random() < 0.8) given.id = pick([...targets, pick(known).id])
    if (random() < 0.05) given[pick(['unknown', 'constructor', '__proto__', ''])] = 'x'
    return { operation: random() < 0.03 ? pick([...targets, 'Nothing.Such', '']) : id, params: given }
  }

  const steps = (targets: readonly string[]): ChainStep[] =>
    Array.from({ length: 1 + Math.floor(random() * 4) }, () => step(targets))

  const input = (): Value => {
    const kind = random()
    if (kind < 0.6) return { type: 'document', id: pick(documents).id }
    if (kind < 0.8) return { type: 'documents', ids: documents.map(({ id }) => id) }
    return kind < 0.9 ? { type: 'string', value: '/fuzz/note' } : { type: 'void' }
  }

  return {
    chain: () => ({
      steps: steps(['other', 'main']),
      others: { other: steps(['main', 'other']) },
      input: input(),
    }),
  }
}
