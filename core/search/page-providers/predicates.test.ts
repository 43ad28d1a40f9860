import { expect, test } from 'vitest'
import { ArchivoltError } from '../../platform/errors/index.js'
import { predicateConditions } from './predicates.js'
import { providersOf } from './provider.fixture.js'
import { createSearchDocument, type NamedValues } from './search-document.js'

const conditions = (predicate: string, named: NamedValues): string[] => {
  const { model, provider } = providersOf(
    `pageProviders: { p: { searchDocumentType: Form, whereClause: { predicates: [${predicate}] } } }`,
  )
  const document = createSearchDocument(provider('p'), named, model)
  return predicateConditions(provider('p').whereClause?.predicates ?? [], document, model)
}

test.each<[predicate: string, named: NamedValues, expected: string[]]>([
  ['{ parameter: dc:title, operator: "=", fields: [form:text] }', { text: 'a' }, ["dc:title = 'a'"]],
  [
    '{ parameter: dc:title, operator: "=", fields: [form:text] }',
    { 'form:text': "O'Hara" },
    ["dc:title = 'O\\'Hara'"],
  ],
  ['{ parameter: dc:title, operator: "!=", fields: [form:text] }', { text: 'a' }, ["dc:title <> 'a'"]],
  ['{ parameter: dc:title, operator: "=", fields: [form:text] }', { text: '  ' }, []],
  ['{ parameter: dc:title, operator: "=", fields: [form:text] }', { text: null }, []],
  ['{ parameter: dc:title, operator: "=", fields: [form:text] }', {}, []],
  [
    '{ parameter: dc:title, operator: "NOT LIKE", fields: [form:text] }',
    { text: 'a%' },
    ["dc:title NOT LIKE 'a%'"],
  ],
  ['{ parameter: c:count, operator: ">=", fields: [form:count] }', { count: '12' }, ['c:count >= 12']],
  ['{ parameter: c:count, operator: "<", fields: [form:count] }', { count: 12 }, ['c:count < 12']],
  ['{ parameter: c:flag, operator: "=", fields: [form:flag] }', { flag: 'true' }, ['c:flag = 1']],
  [
    '{ parameter: ecm:isTrashed, operator: "=", fields: [form:flag] }',
    { flag: 'false' },
    ['ecm:isTrashed = 0'],
  ],
  [
    '{ parameter: dc:modified, operator: "<", fields: [form:from] }',
    { from: '2015-01-02' },
    ["dc:modified < TIMESTAMP '2015-01-02T00:00:00.000Z'"],
  ],
  [
    '{ parameter: dc:nature, operator: IN, fields: [form:natures] }',
    { natures: '["a","b"]' },
    ["dc:nature IN ('a', 'b')"],
  ],
  [
    '{ parameter: dc:nature, operator: IN, fields: [form:natures] }',
    { natures: ['a', 'b'] },
    ["dc:nature IN ('a', 'b')"],
  ],
  ['{ parameter: dc:nature, operator: IN, fields: [form:natures] }', { natures: 'a' }, ["dc:nature = 'a'"]],
  [
    '{ parameter: dc:nature, operator: NOT IN, fields: [form:natures] }',
    { natures: ['a'] },
    ["dc:nature <> 'a'"],
  ],
  ['{ parameter: dc:nature, operator: IN, fields: [form:natures] }', { natures: '[]' }, []],
  [
    '{ parameter: dc:modified, operator: BETWEEN, fields: [form:from, form:to] }',
    { from: '2015', to: '2016' },
    ["dc:modified BETWEEN TIMESTAMP '2015-01-01T00:00:00.000Z' AND TIMESTAMP '2016-01-01T00:00:00.000Z'"],
  ],
  [
    '{ parameter: c:count, operator: BETWEEN, fields: [form:from, form:to] }',
    { from: '1' },
    ['c:count >= 1'],
  ],
  ['{ parameter: c:count, operator: BETWEEN, fields: [form:from, form:to] }', { to: '1' }, ['c:count <= 1']],
  ['{ parameter: c:count, operator: BETWEEN, fields: [form:from, form:to] }', {}, []],
  [
    '{ parameter: dc:subjects, operator: STARTSWITH, fields: [form:subjects] }',
    { subjects: 'art' },
    ["dc:subjects STARTSWITH 'art'"],
  ],
  [
    '{ parameter: dc:subjects, operator: STARTSWITH, fields: [form:subjects] }',
    { subjects: ['art', 'law'] },
    ["(dc:subjects STARTSWITH 'art' OR dc:subjects STARTSWITH 'law')"],
  ],
  ['{ parameter: dc:title, operator: IS NULL, fields: [form:flag] }', { flag: 'true' }, ['dc:title IS NULL']],
  [
    '{ parameter: dc:title, operator: IS NULL, fields: [form:flag] }',
    { flag: 'false' },
    ['dc:title IS NOT NULL'],
  ],
  ['{ parameter: dc:title, operator: IS NULL, fields: [form:flag] }', {}, []],
  ['{ parameter: dc:title, operator: EMPTY }', {}, ["dc:title = ''"]],
  [
    '{ parameter: ecm:fulltext, operator: FULLTEXT, fields: [form:text] }',
    { text: 'a & b' },
    ["ecm:fulltext = 'a b'"],
  ],
  [
    '{ parameter: dc:title, operator: FULLTEXT, fields: [form:text] }',
    { text: 'a' },
    ["ecm:fulltext.dc:title = 'a'"],
  ],
  ['{ parameter: ecm:fulltext, operator: FULLTEXT ALL, fields: [form:text] }', { text: '& -' }, []],
  [
    '{ parameter: dc:title, type: subClause, fields: [form:text] }',
    { text: "dc:title = 'a' OR dc:nature = 'b'" },
    ["(dc:title = 'a' OR dc:nature = 'b')"],
  ],
  [
    '{ parameter: dc:title, operator: "=", operatorField: form:operator, fields: [form:text] }',
    { text: 'a', operator: 'ilike' },
    ["dc:title ILIKE 'a'"],
  ],
  [
    '{ parameter: dc:title, operator: "=", operatorField: form:operator, fields: [form:text] }',
    { text: 'a', operator: '' },
    ["dc:title = 'a'"],
  ],
  [
    '{ parameter: dc:title, operator: "=", fields: [form:text], hint: "INDEX(dc:title.fulltext) OPERATOR(match)" }',
    { text: 'a' },
    ["/*+ES: INDEX(dc:title.fulltext) OPERATOR(match) */ dc:title = 'a'"],
  ],
])('%s with %j', (predicate, named, expected) => {
  expect(conditions(predicate, named)).toEqual(expected)
})

test.each<[predicate: string, named: NamedValues, field: string]>([
  ['{ parameter: c:count, operator: "=", fields: [form:count] }', { count: '1 OR 1=1' }, 'form:count'],
  ['{ parameter: dc:modified, operator: "<", fields: [form:from] }', { from: 'yesterday' }, 'form:from'],
  ['{ parameter: c:flag, operator: "=", fields: [form:flag] }', { flag: 'perhaps' }, 'form:flag'],
  ['{ parameter: dc:nature, operator: IN, fields: [form:natures] }', { natures: '["a"' }, 'form:natures'],
  [
    '{ parameter: dc:title, operatorField: form:operator, fields: [form:text] }',
    { text: 'a', operator: 'DROP' },
    'form:operator',
  ],
])('%s refuses %j and names the field', (predicate, named, field) => {
  expect(() => conditions(predicate, named)).toThrowError(ArchivoltError)
  expect(() => conditions(predicate, named)).toThrowError(field)
})
