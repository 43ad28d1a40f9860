import { describe, expect, test } from 'vitest'
import { createApp } from '../../../api/app.js'
import { ADMIN_PASSWORD, createTestPlatform } from '../support/rest-support.js'

const platform = await createTestPlatform()
const app = createApp(platform)
const authorization = `Basic ${Buffer.from(`Administrator:${ADMIN_PASSWORD}`).toString('base64')}`

// biome-ignore lint/suspicious/noExplicitAny: what is tested is the shape of JSON
type Json = any

const get = async (path: string, headers: { [name: string]: string } = {}) => {
  const response = await app.request(`http://x/nuxeo/api/v1/config/${path}`, {
    headers: { Authorization: authorization, ...headers },
  })
  return { status: response.status, body: (await response.json()) as Json }
}

describe('types', () => {
  test('all of them with all schemas, a type without parent as the literal that clients know', async () => {
    const { body } = await get('types')
    expect(Object.keys(body)).toEqual(['doctypes', 'schemas'])
    expect(body.doctypes.Document).toMatchObject({ parent: 'None!!!' })
    expect(body.doctypes.OrderedFolder).toEqual({
      parent: 'Folder',
      facets: ['Folderish', 'Orderable'],
      schemas: ['common', 'dublincore'],
    })
    expect(body.schemas.common).toEqual({
      '@prefix': 'common',
      icon: 'string',
      'icon-expanded': 'string',
      size: 'long',
    })
    const names = Object.keys(body.doctypes)
    expect(names.indexOf('Folder')).toBeLessThan(names.indexOf('OrderedFolder'))
  })

  test('one of them with its schemas in full', async () => {
    const { body } = await get('types/Folder')
    expect(Object.keys(body)).toEqual(['entity-type', 'name', 'parent', 'facets', 'schemas'])
    expect(body).toMatchObject({ 'entity-type': 'docType', name: 'Folder', parent: 'Document' })
    expect(body.schemas[1]).toMatchObject({ 'entity-type': 'schema', name: 'dublincore', '@prefix': 'dc' })
    expect((await get('types/Document')).body.parent).toBeNull()
  })
})

describe('schemas', () => {
  test('all of them', async () => {
    const { body } = await get('schemas')
    expect(body.find(({ name }: { name: string }) => name === 'file')).toEqual({
      name: 'file',
      '@prefix': 'file',
      fields: { content: 'blob', filename: 'string' },
    })
  })

  test.each([
    ['dublincore', { subjects: 'string[]', created: 'date' }],
    ['files', { files: { type: 'complex[]', fields: { file: 'blob', filename: 'string' } } }],
    ['image_metadata', { xresolution: 'long', fnumber: 'double' }],
    ['domain', { display_type: 'boolean' }],
  ])('%s with its fields', async (name, fields) => {
    expect((await get(`schemas/${name}`)).body).toMatchObject({ 'entity-type': 'schema', name, fields })
  })

  test('a prefix is reported only by schemas that have one', async () => {
    expect((await get('schemas/dublincore')).body).toMatchObject({ prefix: 'dc', '@prefix': 'dc' })
    expect(Object.keys((await get('schemas/common')).body)).toEqual(['entity-type', 'name', 'fields'])
  })

  test.each([
    ['a query parameter', 'schemas/dublincore?fetch-schema=fields', {}],
    ['a header of today', 'schemas/dublincore', { 'fetch-schema': 'fields' }],
    ['a header of older clients', 'schemas/dublincore', { 'X-NXfetch.schema': 'fields' }],
  ])('constraints are included when %s asks for them', async (_, path, headers) => {
    const { fields } = (await get(path, headers)).body
    expect(fields.description).toEqual({
      type: 'string',
      constraints: [
        { 'entity-type': 'validation_constraint', name: 'TypeConstraint', parameters: { Type: 'string' } },
        { 'entity-type': 'validation_constraint', name: 'LengthConstraint', parameters: { Maximum: '2000' } },
      ],
    })
    expect(fields.subjects).toMatchObject({
      type: 'string[]',
      itemConstraints: [
        { name: 'TypeConstraint' },
        { name: 'directoryResolver', parameters: { directory: 'l10nsubjects' } },
      ],
    })
  })
})

test('facets, those with schemas with them', async () => {
  const { body } = await get('facets')
  const named = (name: string) => body.find((facet: { name: string }) => facet.name === name)
  expect(named('Folderish')).toEqual({ name: 'Folderish' })
  expect(named('HasRelatedText').schemas[0]).toMatchObject({ name: 'relatedtext' })
  expect((await get('facets/Orderable')).body).toEqual({ 'entity-type': 'facet', name: 'Orderable' })
})

test('the facet of saved searches with their schema', async () => {
  const { body } = await get('facets/SavedSearch')
  expect(body).toMatchObject({ 'entity-type': 'facet', name: 'SavedSearch' })
  expect(body.schemas).toEqual([
    expect.objectContaining({
      name: 'saved_search',
      fields: expect.objectContaining({ queryParams: 'string' }),
    }),
  ])
})

test.each(['types/Nothing', 'schemas/nothing', 'facets/Nothing', 'nothing'])(
  '%s is not found',
  async (path) => {
    const { status, body } = await get(path)
    expect(status).toBe(404)
    expect(body).toMatchObject({ 'entity-type': 'exception', status: 404 })
  },
)
