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
}
const FAILURE = { status: 404, message: 'gone' }
const EVENT = { event: 'documentCreated', documentId: 'id-1', path: '/a', type: 'File' }

test.each([
  [{}, ['It would change nothing', 'It would give nothing']],
  [
    { events: [EVENT, { ...EVENT, path: null, type: null }], eventCount: 2, boundaries: 1 },
    [
      'documentCreated  /a    File',
      'documentCreated  id-1',
      'It would give nothing',
      'It would commit at 1 step on its way',
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
        { errorChain: 'mend', after: FAILURE },
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
      'RunOperationOnList one: 3 items, 2 would fail and be passed over',
      '  item 1: gone (404)',
      '  and 1 more',
      'RunOperationOnList two: 3 items',
      'RunDocumentOperation one passed over /a: gone (404)',
      'error chain mend ran after: gone (404)',
      'It would give the bulk command trash over 1200 documents',
      '  of which the first, /a, would come to: documentTrashed',
      'It would give the bulk command deletion over 1 document',
      '  of which the first, id, would come to: gone (404)',
      'It would give the bulk command trash over 0 documents',
      'It would give the bulk command trash, which is not tried: it acts for somebody else',
      'It would give nothing',
    ],
  ],
  [
    { events: [EVENT], eventCount: 3 },
    ['documentCreated  /a  File', 'and 2 more events', 'It would give nothing'],
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
      'It would give nothing',
    ],
  ],
  [
    {
      commands: [{ action: 'trash', total: 1 }],
      output: { type: 'entity', value: { commandId: 'id-1', state: 'SCHEDULED' } },
    },
    ['It would give the bulk command trash over 1 document'],
  ],
  [
    {
      mails: [{ to: ['a@b.c', 'd@e.f'], subject: 'Hi' }],
      mailCount: 1,
      output: { type: 'string', value: 'x' },
    },
    ['mail to a@b.c, d@e.f: Hi', 'It would give string "x"'],
  ],
  [
    { eventCount: 1, events: [EVENT], output: { type: 'document', document: { uid: 'id-1', path: '/a' } } },
    ['documentCreated  /a  File', 'It would give the document /a'],
  ],
  [
    { output: { type: 'documents', count: 30, documents: [{ uid: 'id-1' }] } },
    ['It would change nothing', 'It would give 30 documents'],
  ],
  [
    { output: { type: 'blob', blob: { name: 'a.txt', length: 3 } } },
    ['It would change nothing', 'It would give the file a.txt, 3 bytes'],
  ],
])('%j is told', (told, lines) => {
  expect(dryRunLines({ ...NOTHING, ...told })).toEqual(lines)
})
