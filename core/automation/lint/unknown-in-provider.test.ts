import { expect, test } from 'vitest'
import { mergeContributions } from '../../platform/contributions/index.js'
import { pageProvidersPoint } from '../../search/page-providers/index.js'
import { namesOfYaml } from './names.fixture.js'
import { unknownInProvider } from './unknown-in-provider.js'

const MODEL = `
schemas: { dublincore: { prefix: dc, fields: { title: string, nature: string, modified: date } } }
types: { Document: { abstract: true, lifecycle: default }, File: { schemas: [dublincore] } }
lifecycles: { default: { initial: project, states: { project: [] } } }
`

const providerOf = (text: string) =>
  mergeContributions([{ file: 'p.yaml', text: `pageProviders: { p: ${text} }` }], [pageProvidersPoint])
    .get(pageProvidersPoint)
    .get('p')!

test.each([
  ['{ pattern: "SELECT * FROM File WHERE dc:title = ? AND ecm:isTrashed = 0 ORDER BY SORTED_COLUMN" }', []],
  ['{ pattern: "SELECT * FROM Document WHERE ?", quoteParameters: false }', []],
  ['{ source: audit, pattern: "SELECT * FROM Document WHERE eventId = ?" }', []],
  [
    '{ pattern: "SELECT * FROM Fil WHERE dc:titel = ?", sort: [{ column: dc:titl }] }',
    [
      'pattern: there is no document type "Fil", did you mean "File"?',
      'pattern: no schema has the property "dc:titel", did you mean "dc:title"?',
      'sort.0.column: no schema has the property "dc:titl", did you mean "dc:title"?',
    ],
  ],
  [
    `{ whereClause: { fixedPart: "ecm:isTrashd = 0", predicates: [{ parameter: dc:natur, operator: IN, fields: [a] }] },
       quickFilters: [{ name: q, clause: "dc:titl = 'a' OR dc:title = ?", sort: [{ column: dc:modifed }] }],
       aggregates: [{ id: a, type: terms, field: dc:natur }] }`,
    [
      'whereClause.fixedPart: queries know no property "ecm:isTrashd", did you mean "ecm:isTrashed"?',
      'whereClause.predicates.0.parameter: no schema has the property "dc:natur", did you mean "dc:nature"?',
      'quickFilters.0.clause: no schema has the property "dc:titl", did you mean "dc:title"?',
      'quickFilters.0.sort.0.column: no schema has the property "dc:modifed", did you mean "dc:modified"?',
      'aggregates.0.field: no schema has the property "dc:natur", did you mean "dc:nature"?',
    ],
  ],
])('%s', (text, expected) => {
  const findings = unknownInProvider(providerOf(text), namesOfYaml(MODEL))
  expect(findings.map(({ path, message }) => `${path.join('.')}: ${message}`)).toEqual(expected)
})
