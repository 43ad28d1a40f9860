import { expect, test } from 'vitest'
import { seenById, summaryOf } from './dry-run-output.js'

const event = (documentId: string | null, path: string | null) =>
  ({ event: 'documentCreated', documentId, path, type: 'File' }) as never
const seen = seenById({ events: [event('1', '/a'), event('2', null), event(null, null)] })

test('a document that is known by its id alone has the path of its events', () => {
  expect(summaryOf({ type: 'document', id: '1' }, seen)).toEqual({
    type: 'document',
    document: { uid: '1', path: '/a', type: 'File' },
  })
  expect(summaryOf({ type: 'document', id: '3' }, seen)).toEqual({
    type: 'document',
    document: { uid: '3' },
  })
})

test('so has each of several; one that is gone by then has none', () => {
  expect(summaryOf({ type: 'documents', ids: ['1', '2'] }, seen)).toEqual({
    type: 'documents',
    count: 2,
    documents: [
      { uid: '1', path: '/a', type: 'File' },
      { uid: '2', path: null, type: 'File' },
    ],
  })
})
