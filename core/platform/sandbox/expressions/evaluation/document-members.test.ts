import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { DOCUMENT_MEMBERS, isDocumentMember } from './document-members.js'

const PRELUDE = readFileSync(new URL('../prelude/documents.ts', import.meta.url), 'utf8')
const FIELDS = readFileSync(new URL('./names.ts', import.meta.url), 'utf8')

test('every member is one that documents have', () => {
  for (const name of DOCUMENT_MEMBERS)
    expect({ name, isThere: `${PRELUDE}${FIELDS}`.includes(`'${name}'`) }).toEqual({ name, isThere: true })
})

test('every field that documents have is a member', () => {
  const fields = [...FIELDS.matchAll(/case '(\w+)':/g)].map(([, name]) => name!)
  expect(fields.length).toBeGreaterThan(10)
  for (const name of fields)
    expect({ name, is: isDocumentMember(name, { isCall: false }) }).toEqual({ name, is: true })
})

test.each([
  ['getTitle', true, true],
  ['getTitle', false, false],
  ['getTitel', true, false],
  ['equals', true, true],
  ['titel', false, false],
])('%s, called: %s', (name, isCall, is) => {
  expect(isDocumentMember(name, { isCall })).toBe(is)
})
