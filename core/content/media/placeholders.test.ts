import { expect, test, vi } from 'vitest'
import { createBlobValue } from '../../files/blobs/index.js'
import type { ContentModel } from '../../model/content-model/index.js'
import type { DocumentRecord, Properties } from '../../model/properties/index.js'
import { mergeContributions } from '../../platform/contributions/index.js'
import type { Session } from '../documents/index.js'
import { filtersPoint } from '../filters/index.js'
import { pictureConversionsPoint } from './conversion-points.js'
import { viewsFor } from './conversions-for.js'
import { mediaListenersPoint, mediaWorkOf } from './listeners-point.js'
import { createPlaceholders } from './placeholders.js'

const configured = {
  mediaListeners: {
    pictures: { makes: 'picture', facets: ['Picture'] },
    texts: { makes: 'text', mimeTypes: ['text/plain'] },
  },
  filters: { drawings: { rules: [{ types: ['Drawing'] }] } },
  pictureConversions: {
    Large: { maxSize: 500, order: 2 },
    Small: { description: 'A small one', order: 1 },
    Plan: { order: 3, filters: ['drawings'] },
  },
}
const contributions = mergeContributions(
  [{ file: 'a.yaml', text: JSON.stringify(configured) }],
  [mediaListenersPoint, pictureConversionsPoint, filtersPoint],
)
const model = {
  facetsOf: (_type: string, facets: readonly string[]) => facets,
  schemasOf: (_type: string, facets: readonly string[]) =>
    facets.includes('Picture') ? [{ name: 'file' }, { name: 'picture' }] : [{ name: 'file' }],
} as unknown as ContentModel
const deployed = { model, contributions }
const session = deployed as Session

const fileOf = (digit: string, name = 'a.jpg') => ({
  'file:content': createBlobValue({
    stored: { key: digit.repeat(64), digest: digit.repeat(32), digestAlgorithm: 'MD5', length: 1 },
    name,
  }),
})
const saved = (properties: Properties, facets: readonly string[] = ['Picture'], type = 'Any') =>
  ({ type, facets: [...facets], isProxy: false, properties }) as unknown as DocumentRecord

const bench = () => {
  const stored = {
    ...{ key: '2681c5b0c6b3b2bc1dcaa09c265808d7a37c21580ed44cd49655c87503f48f16' },
    ...{ digest: 'b'.repeat(32), digestAlgorithm: 'MD5' as const, length: 113 },
  }
  const write = vi.fn(async () => stored)
  return { write, placeholders: createPlaceholders(write) }
}

test('a new picture has each view by its title, and no description of itself', async () => {
  const { write, placeholders } = bench()
  const create = () => placeholders(session, { document: saved(fileOf('a')), previous: null })
  const filled = await create()
  expect(filled).toMatchObject({
    'picture:info': null,
    'picture:views': [
      { title: 'Small', description: 'A small one', width: 100, content: { name: 'empty_picture.png' } },
      { title: 'Large', filename: 'empty_picture.png', info: { format: 'PNG' } },
    ],
  })
  expect(await create()).toEqual(filled)
  expect(write).toHaveBeenCalledTimes(1)
})

test('the views of a picture with placeholders are still made', async () => {
  const { placeholders } = bench()
  const document = saved(fileOf('a'))
  const filled = await placeholders(session, { document, previous: null })
  const work = (properties: Properties) =>
    mediaWorkOf({ ...document, properties }, { ...deployed, event: 'documentCreated' })
  expect(work({ ...document.properties, ...filled })).toMatchObject([{ kind: 'picture' }])
  expect(work({ ...document.properties, ...filled })[0]?.isSettled).toBeUndefined()
  expect(work({ ...document.properties, 'picture:views': [{ title: 'Own' }] })[0]?.isSettled).toBe(true)
})

const views = { 'picture:views': [{ title: 'Own' }] }
const before = { ...fileOf('a'), ...views }

test.each([
  ['another file', { ...before, ...fileOf('b') }, true],
  ['the same file', { ...before, ...fileOf('a') }, false],
  ['another title', { ...before, 'dc:title': 'x' }, false],
  ['another file and views', { ...fileOf('b'), 'picture:views': [{ title: 'New' }] }, false],
  ['no file any more', { ...views, 'file:content': null }, false],
])('a picture is given %s', async (_case, properties, isFilled) => {
  const { placeholders } = bench()
  const filled = await placeholders(session, {
    document: saved(properties),
    previous: saved(before),
  })
  expect('picture:views' in filled).toBe(isFilled)
})

test.each([
  ['views of its own', saved(before)],
  ['no file', saved({})],
  ['no facet', saved(fileOf('a'), [])],
])('a new document with %s is filled with nothing', async (_case, document) => {
  const { write, placeholders } = bench()
  expect(await placeholders(session, { document, previous: null })).toEqual({})
  expect(write).not.toHaveBeenCalled()
})

test('views that filters keep from a document are left out', async () => {
  const titlesOf = async (type: string) => {
    const document = saved(fileOf('a'), ['Picture'], type)
    const { 'picture:views': views } = await bench().placeholders(session, { document, previous: null })
    return (views as { title: string }[]).map(({ title }) => title)
  }
  expect([await titlesOf('Any'), await titlesOf('Drawing')]).toEqual([
    ['Small', 'Large'],
    ['Small', 'Large', 'Plan'],
  ])
  const made = ['Small', 'Plan', 'Own'].map((title) => ({ title }))
  expect(await viewsFor(session, saved({}), made)).toEqual([{ title: 'Small' }, { title: 'Own' }])
})
