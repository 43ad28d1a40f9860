import { expect, test } from 'vitest'
import { adaptersPoint } from '../../core/content/business-objects/index.js'
import { versioningPoints } from '../../core/content/versioning/policies/index.js'
import { mergeContributions } from '../../core/platform/contributions/index.js'
import { pageProvidersPoint } from '../../core/search/page-providers/index.js'

const points = [adaptersPoint, pageProvidersPoint, ...versioningPoints]

test.each([
  [
    'versioningFilters:\n  f: { condition: \'previousDocument["a:b" != 1\' }\n',
    /versioningFilters\.f\.condition: .*No closing bracket/,
  ],
  ['adapters:\n  A: { type: File, fields: { l: { value: "This.x +" } } }\n', /adapters\.A\.fields\.l\.value/],
  ['adapters:\n  A: { type: File, onWrite: { "dc:title": "This.x +" } }\n', /adapters\.A\.onWrite\.dc:title/],
  [
    'pageProviders:\n  p:\n    whereClause:\n      statement: SELECT * FRM File\n      fixedPart: ecm:isTrashed = 0\n',
    /pageProviders\.p\.whereClause\.statement: .*FRM/,
  ],
])('an expression or a query that cannot be read is refused where it stands: %j', (text, message) => {
  expect(() => mergeContributions([{ file: 'a.yaml', text }], points)).toThrow(message)
})
