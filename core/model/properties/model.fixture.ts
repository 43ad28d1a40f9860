import { mergeContributions } from '../../platform/contributions/index.js'
import {
  buildContentModel,
  type ContentModel,
  contentModelPoints,
  type Schema,
} from '../content-model/index.js'

const TEXT = `
schemas:
  all:
    prefix: a
    fields:
      text: string
      owner: { type: string, resolver: user }
      topic: { type: string, resolver: { directory: topic } }
      other: { type: string, resolver: document }
      count: long
      ratio: double
      flag: boolean
      day: date
      bytes: binary
      tags: string[]
      counts: long[]
      days: date[]
      part: { type: complex, fields: { name: string, size: long, day: date, constructor: string, inner: { type: complex, fields: { deep: string } } } }
      parts: { type: 'complex[]', fields: { name: string, file: blob, tags: 'string[]' } }
  file: { fields: { content: blob, scans: 'blob[]' } }
  strict:
    prefix: s
    fields:
      title: { type: string, required: true }
      short: { type: string, maxLength: 3 }
      long: { type: string, minLength: 2 }
      between: { type: string, minLength: 2, maxLength: 3 }
      code: { type: string, pattern: '[A-Z]+-\\d' }
      color: { type: string, values: [red, green] }
      colors: { type: 'string[]', values: [red, green], required: true }
      lines: { type: 'complex[]', fields: { unit: { type: string, required: true }, part: { type: complex, fields: { id: { type: string, maxLength: 1 } } } } }
      free: string
  bounded:
    prefix: b
    fields:
      amount: { type: double, minimum: 0, maximum: 10 }
      open: { type: long, minimum: 0, minimumInclusive: false, maximum: 10, maximumInclusive: false }
      since: { type: date, minimum: '2000-01-01' }
      until: { type: date, maximum: '2000-01-01', maximumInclusive: false }
      counts: { type: 'long[]', minimum: 1, required: true }
  linked:
    prefix: l
    fields:
      owner: { type: string, resolver: { user: user }, maxLength: 5 }
      anyone: { type: string, resolver: user }
      topics: { type: 'string[]', resolver: { directory: topic } }
      rows: { type: 'complex[]', fields: { to: { type: string, resolver: document } } }
      loose: { type: string, resolver: { directory: topic, validation: false } }
  named: { fields: { content: blob, filename: string } }
  preset:
    fields:
      ordering: { type: long, default: 10 }
      marks: { type: 'string[]', default: [x] }
      day: { type: date, default: '2024-02-29' }
      plain: string
types:
  Document: { abstract: true, lifecycle: default }
lifecycles:
  default: { initial: a, states: { a: [] } }
`

/** A content model with a field of every kind, for the tests of this room. */
export const testModel: ContentModel = buildContentModel(
  mergeContributions([{ file: 'test.yaml', text: TEXT }], contentModelPoints),
)

export const schemasNamed = (...names: string[]): Schema[] =>
  names.map((name) => testModel.schemas.get(name)!)

export const someBlob = (name = 'a.txt') => ({
  name,
  'mime-type': 'text/plain',
  encoding: null,
  digestAlgorithm: 'MD5',
  digest: '0cc175b9c0f1b6a831c399e269772661',
  length: 1,
})
