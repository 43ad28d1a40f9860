import { expect, test } from 'vitest'
import { commandNote, entityLines, pagingNote } from './render-entity.js'

const document = (uid: string, path: string, title: string) => ({
  'entity-type': 'document',
  uid,
  path,
  title,
})

test.each<[unknown, string[]]>([
  [document('1', '/a', 'A'), ['1  /a  A']],
  [
    { 'entity-type': 'documents', entries: [document('1', '/a', 'A'), document('2', '/a/b', 'B')] },
    ['1  /a    A', '2  /a/b  B'],
  ],
  [{ 'entity-type': 'documents', entries: [] }, []],
  [{ 'entity-type': 'string', value: 'some\ntext' }, ['some\ntext']],
  [{ 'entity-type': 'number', value: 3 }, ['3']],
  [{ 'entity-type': 'boolean', value: false }, ['false']],
  [{ 'entity-type': 'list', value: [1] }, ['[', '  1', ']']],
  [
    { 'entity-type': 'recordSet', entries: [] },
    ['{', '  "entity-type": "recordSet",', '  "entries": []', '}'],
  ],
])('shows %j', (entity, lines) => {
  expect(entityLines(entity)).toEqual(lines)
})

test('says that there are more documents than shown', () => {
  const page = { 'entity-type': 'documents', entries: [document('1', '/a', 'A')] }
  expect(pagingNote({ ...page, resultsCount: 7 })).toBe('1 of 7 documents')
  expect(pagingNote({ ...page, resultsCount: -1 })).toBeUndefined()
  expect(pagingNote(page)).toBeUndefined()
})

test('says how to follow a bulk command', () => {
  const status = { 'entity-type': 'bulkStatus', value: { commandId: 'id-1', state: 'SCHEDULED' } }
  expect(commandNote(status)).toBe('Follow it: archivolt status --watch bulk-id-1')
  expect(commandNote({ 'entity-type': 'string', value: 'id-1' })).toBeUndefined()
})
