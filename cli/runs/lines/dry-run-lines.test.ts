import { expect, test } from 'vitest'
import { dryRunLines } from './dry-run-lines.js'

const NOTHING = {
  output: { type: 'void' },
  boundaries: 0,
  events: [],
  eventCount: 0,
  mails: [],
  mailCount: 0,
  loops: [],
  incidents: [],
  incidentCount: 0,
  commands: [],
  warnings: [],
}
const FAILURE = { status: 404, message: 'gone' }
const EVENT = { event: 'documentCreated', documentId: 'id-1', path: '/a', type: 'File' }

test.each([
  [{}, ['It would change nothing', 'It would return nothing']],
  [
    { events: [EVENT, { ...EVENT, path: null, type: null }], eventCount: 2, boundaries: 1 },
    [
      'documentCreated  /a    File',
      'documentCreated  id-1',
      'It would return nothing',
      'It would commit at 1 step before its end',
    ],
  ],
  [
    {
      loops: [
        {
          operation: 'RunOperationOnList',
          target: 'one',
          total: 3,
          failed: 2,
          failures: [{ position: 1, ...FAILURE }],
        },
        { operation: 'RunOperationOnList', target: 'two', total: 3, failed: 0, failures: [] },
      ],
      incidents: [
        { operation: 'RunDocumentOperation', target: 'one', input: { path: '/a' }, failure: FAILURE },
        { errorChain: 'recover', after: FAILURE },
      ],
      incidentCount: 2,
      commands: [
        {
          action: 'trash',
          total: 1_200,
          first: { documentId: 'id', path: '/a', events: ['documentTrashed'] },
        },
        {
          action: 'deletion',
          total: 1,
          first: { documentId: 'id', path: null, events: [], failure: FAILURE },
        },
        { action: 'trash', total: 0 },
        { action: 'trash' },
      ],
    },
    [
      'RunOperationOnList one: 3 items, 2 would fail and be skipped',
      '  item 1: gone (404)',
      '  and 1 more',
      'RunOperationOnList two: 3 items',
      'RunDocumentOperation one skipped /a after failure: gone (404)',
      'error chain recover ran after: gone (404)',
      'It would submit the bulk command trash on 1200 documents',
      '  for the first, /a: documentTrashed',
      'It would submit the bulk command deletion on 1 document',
      '  for the first, id: gone (404)',
      'It would submit the bulk command trash on 0 documents',
      'It would submit the bulk command trash, which is not tried: it acts for another user',
      'It would return nothing',
    ],
  ],
  [
    { events: [EVENT], eventCount: 3 },
    ['documentCreated  /a  File', 'and 2 more events', 'It would return nothing'],
  ],
  [
    {
      events: [
        EVENT,
        { ...EVENT, event: 'documentModified' },
        { ...EVENT, event: 'documentModified' },
        ...Array.from({ length: 13 }, (_, at) =>
          ['beforeSave', 'documentModified'].map((event) => ({
            ...EVENT,
            event,
            documentId: `id-${at}`,
            path: `/b/${at}`,
          })),
        ).flat(),
      ],
      eventCount: 29,
    },
    [
      'documentCreated, documentModified  /a    File',
      ...Array.from({ length: 10 }, (_, at) => `beforeSave, documentModified       /b/${at}  File`),
      'and 3 more documents: beforeSave, documentModified File',
      'It would return nothing',
    ],
  ],
  [
    {
      commands: [{ action: 'trash', total: 1 }],
      output: { type: 'entity', value: { commandId: 'id-1', state: 'SCHEDULED' } },
    },
    ['It would submit the bulk command trash on 1 document'],
  ],
  [
    {
      mails: [{ to: ['a@b.c', 'd@e.f'], subject: 'Hi' }],
      mailCount: 1,
      output: { type: 'string', value: 'x' },
    },
    ['mail to a@b.c, d@e.f: Hi', 'It would return string "x"'],
  ],
  [
    { eventCount: 1, events: [EVENT], output: { type: 'document', document: { uid: 'id-1', path: '/a' } } },
    ['documentCreated  /a  File', 'It would return the document /a'],
  ],
  [
    { output: { type: 'documents', count: 30, documents: [{ uid: 'id-1' }] } },
    ['It would change nothing', 'It would return 30 documents'],
  ],
  [
    { output: { type: 'blob', blob: { name: 'a.txt', length: 3 } } },
    ['It would change nothing', 'It would return the file a.txt, 3 bytes'],
  ],
])('%j is reported', (reported, lines) => {
  expect(dryRunLines({ ...NOTHING, ...reported })).toEqual(lines)
})

test('loops alike are one line', () => {
  const loop = (total: number) => ({
    ...{ operation: 'RunOperationOnList', target: 'leaf', total, failed: 0, failures: [] },
  })
  expect(dryRunLines({ ...NOTHING, loops: [loop(3), loop(2), loop(3)] }).slice(0, 2)).toEqual([
    'RunOperationOnList leaf: 3 items, 2 times',
    'RunOperationOnList leaf: 2 items',
  ])
})
