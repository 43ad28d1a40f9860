import { expect, test } from 'vitest'
import { mergeContributions } from '../../platform/contributions/index.js'
import { namesOfYaml } from '../lint/names.fixture.js'
import { eventHandlersPoint } from './event-handlers-point.js'
import { unknownFilters } from './unknown-filters.js'

const names = namesOfYaml(`
schemas: { dublincore: { prefix: dc, fields: { title: string } } }
facets: { Folderish: {} }
types: { Document: { abstract: true, lifecycle: default }, File: { schemas: [dublincore] } }
lifecycles: { default: { initial: project, states: { project: [approve], approved: [] }, transitions: { approve: approved } } }
`)

const reported = (filter: string): string[] => {
  const text = `eventHandlers:\n  h:\n    events: documentCreated\n    chain: c\n    ${filter}\n`
  const handler = mergeContributions([{ file: 'a', text }], [eventHandlersPoint])
    .get(eventHandlersPoint)
    .get('h')
  return unknownFilters(handler!, names).map(({ path, message }) => `${path.join('.')}: ${message}`)
}

test.each([
  ['doctype: File'],
  ['facet: Folderish'],
  ['lifeCycle: "project, approved"'],
  ['pathStartsWith: /a'],
  ['condition: Document["dc:title"].startsWith("Report")'],
])('%s is known', (filter) => {
  expect(reported(filter)).toEqual([])
})

test.each([
  ['doctype: "File, Fille"', 'doctype: there is no document type "Fille", did you mean "File"?'],
  ['facet: Folderisch', 'facet: there is no facet "Folderisch", did you mean "Folderish"?'],
  ['lifeCycle: aproved', 'lifeCycle: there is no life-cycle state "aproved", did you mean "approved"?'],
  ['pathStartsWith: a', 'pathStartsWith: no path begins with "a": paths begin with /'],
  [
    'condition: Document["dc:titel"] == "x"',
    'condition: Document["dc:titel"]: no schema has the property "dc:titel", so that it is null, did you mean "dc:title"?',
  ],
  [`condition: 'Document["dc:title"] = "x"'`, 'condition: a condition assigns with "=": write == to compare'],
])('%s is reported', (filter, message) => {
  expect(reported(filter)).toEqual([message])
})
