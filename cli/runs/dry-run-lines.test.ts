import { expect, test } from 'vitest'
import { dryRunLines } from './dry-run-lines.js'

const NOTHING = {
  output: { type: 'void' },
  boundaries: 0,
  events: [],
  eventCount: 0,
  mails: [],
  mailCount: 0,
}
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
  [{ events: [EVENT], eventCount: 3 }, ['documentCreated  /a  File', 'and 2 more', 'It would give nothing']],
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
