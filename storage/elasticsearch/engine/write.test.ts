import type { Client } from '@elastic/elasticsearch'
import { expect, test } from 'vitest'
import type { IndexedDocument, IndexWrite } from '../../../core/content/stores/index.js'
import { sampleModel } from '../../../core/model/nxql/model.fixture.js'
import type { PropertyValue } from '../../../core/model/properties/index.js'
import { createWrite } from './write.js'

const documentWith = (properties: { [name: string]: PropertyValue }) =>
  ({
    record: { type: 'File', facets: [], properties },
    scope: 1,
    ancestors: [],
    words: [],
  }) as unknown as IndexedDocument

/** What the engine is sent for a document, and what is refused beforehand. */
const sent = async (properties: { [name: string]: PropertyValue }) => {
  const actions: unknown[] = []
  const bulk = async (options: { datasource: IndexWrite[]; onDocument(write: IndexWrite): unknown }) => {
    for (const write of options.datasource) actions.push(options.onDocument(write))
  }
  const write = createWrite({ helpers: { bulk } } as unknown as Client, async () => ({
    model: sampleModel(),
    repository: 'default',
    excludes: [],
  }))
  const refused = await write('index', [{ id: 'a', version: 7, document: documentWith(properties) }])
  return { actions, refused }
}

test('of a very long text the beginning is indexed, never half a character', async () => {
  const { actions, refused } = await sent({
    'dc:title': `${'x'.repeat(99_999)}\u{1F993}${'y'.repeat(900_000)}`,
  })
  const [[, source]] = actions as [[unknown, string]]
  const entry = JSON.parse(source)
  expect(entry['dc:title']).toBe('x'.repeat(99_999))
  expect(entry['ecm:title']).toBe(entry['dc:title'])
  expect(refused).toEqual([])
})

test('a document of many long texts is refused, and loses its entry', async () => {
  const { actions, refused } = await sent({ 'dc:subjects': Array(50).fill('x'.repeat(100_000)) })
  expect(actions).toEqual([{ delete: { _index: 'index', _id: 'a', version: 7, version_type: 'external' } }])
  expect(refused).toEqual([{ id: 'a', reason: expect.stringContaining('at most 4194304 are indexed') }])
})
