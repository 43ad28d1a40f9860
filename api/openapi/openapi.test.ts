import { describe, expect, test } from 'vitest'
import { buildContentModel, contentModelPoints } from '../../core/model/content-model/index.js'
import { mergeContributions } from '../../core/platform/contributions/index.js'
import { createValidator } from '../../test/support/json-schema.js'
import { describedComponents, routeDocs } from '../route-docs.js'
import { describeRoutes } from './describe.js'
import { openapiDocument } from './document.js'

const TEXT = `
schemas:
  bill:
    prefix: bill
    fields:
      number: { type: string, required: true, maxLength: 10, pattern: '[A-Z]+-\\d+' }
      color: { type: string, values: [red, green] }
      net: { type: double, minimum: 0, maximum: 10, maximumInclusive: false }
      count: { type: long, default: 3 }
      paid: boolean
      due: { type: date, minimum: '2000-01-01' }
      seal: binary
      tags: string[]
      owner: { type: string, resolver: user }
      scan: blob
      lines: { type: 'complex[]', fields: { text: string, file: blob } }
types:
  Document: { abstract: true, lifecycle: default }
  Bill: { extends: Document, schemas: [bill] }
lifecycles:
  default: { initial: a, states: { a: [] } }
`

const model = buildContentModel(mergeContributions([{ file: 'test.yaml', text: TEXT }], contentModelPoints))

type Json = { [key: string]: unknown }

const docs = routeDocs({ hasEngine: true })
const document = JSON.parse(
  JSON.stringify(
    openapiDocument(describeRoutes(docs, describedComponents), {
      model,
      base: 'http://localhost/nuxeo',
      repositories: ['default', 'archive'],
    }),
  ),
) as {
  openapi: string
  servers: { url: string; variables?: { [name: string]: { default: string; enum: string[] } } }[]
  info: { license: { identifier: string } }
  tags: { name: string; description?: string }[]
  security: { [scheme: string]: unknown }[]
  paths: { [path: string]: { [method: string]: Operation } & { servers?: object[] } }
  components: { schemas: { [name: string]: Json }; securitySchemes: Json; responses: Json }
}

type Operation = {
  operationId: string
  tags: string[]
  security?: unknown[]
  parameters: { name: string; in: string; required: boolean; schema: Json }[]
  requestBody?: { content: Json }
  responses: Json
}

const METHODS = ['get', 'post', 'put', 'delete']

const operations = Object.entries(document.paths).flatMap(([path, item]) =>
  METHODS.flatMap((method) => (item[method] ? [{ path, method, operation: item[method] }] : [])),
)

const walk = (value: unknown, visit: (key: string, value: unknown) => void): void => {
  if (typeof value !== 'object' || value === null) return
  for (const [key, part] of Object.entries(value)) {
    visit(key, part)
    walk(part, visit)
  }
}

const at = (ref: string): unknown =>
  ref
    .split('/')
    .slice(1)
    .reduce<unknown>((place, step) => (place as Json | undefined)?.[step], document)

describe('the document', () => {
  test('says what linters ask for: a license, and what each tag is about', () => {
    expect(document.info.license.identifier).toBe('Apache-2.0')
    expect(document.tags.filter(({ name, description }) => !description || description === name)).toEqual([])
    const without4xx = operations.filter(
      ({ operation }) => !Object.keys(operation.responses).some((status) => status.startsWith('4')),
    )
    expect(without4xx.map(({ path }) => path)).toEqual([])
  })

  test('has no schema without a name, which generated types could not refer to', () => {
    expect(Object.keys(document.components.schemas).filter((name) => name.startsWith('__'))).toEqual([])
  })

  test('has every described route once', () => {
    expect(operations).toHaveLength(docs.length)
    expect(document.openapi).toMatch(/^3\.1\./)
  })

  test('refers to what is there alone', () => {
    const refs: string[] = []
    walk(document, (key, value) => {
      if (key === '$ref') refs.push(value as string)
      if (key === 'mapping') refs.push(...Object.values(value as { [type: string]: string }))
    })
    expect(refs.length).toBeGreaterThan(100)
    expect(refs.filter((ref) => at(ref) === undefined)).toEqual([])
  })

  test('has no schemas of its own outside its components', () => {
    const foreign: string[] = []
    walk(document, (key) => {
      if (['$defs', '$id', '$schema'].includes(key)) foreign.push(key)
    })
    expect(foreign).toEqual([])
  })

  test('names operations once, and by what is possible in programs', () => {
    const names = operations.map(({ operation }) => operation.operationId)
    expect(names.filter((name, position) => names.indexOf(name) !== position)).toEqual([])
    expect(names.filter((name) => !/^[a-z]\w*$/i.test(name))).toEqual([])
  })

  test('declares every parameter of a path, and no other', () => {
    for (const { path, method, operation } of operations) {
      const written = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
      const declared = operation.parameters.filter((parameter) => parameter.in === 'path')
      expect(declared.map(({ name }) => name).sort(), `${method} ${path}`).toEqual(written.sort())
      expect(declared.filter(({ required }) => !required)).toEqual([])
      const all = operation.parameters.map(({ name, in: place }) => `${place} ${name}`)
      expect(new Set(all).size, `${method} ${path}`).toBe(all.length)
    }
  })

  test('has no two paths that differ by the names of their parameters alone', () => {
    const shapes = Object.keys(document.paths).map((path) => path.replace(/\{\w+\}/g, '{}'))
    expect(new Set(shapes).size).toBe(shapes.length)
  })

  test('answers of every operation are described, errors among them', () => {
    for (const { path, method, operation } of operations) {
      const statuses = Object.keys(operation.responses)
      expect(
        statuses.some((status) => /^[23]\d\d$/.test(status)),
        `${method} ${path}`,
      ).toBe(true)
      expect(statuses).toContain('default')
      const silent = Object.values(operation.responses as { [status: string]: Json }).filter(
        ({ $ref, description }) => $ref === undefined && !description,
      )
      expect(silent, `${method} ${path}`).toEqual([])
    }
  })

  test('tags, security and servers are declared', () => {
    const tags = document.tags.map(({ name }) => name)
    expect(
      operations.flatMap(({ operation }) => operation.tags).filter((tag) => !tags.includes(tag)),
    ).toEqual([])
    expect(document.security.flatMap(Object.keys)).toEqual(Object.keys(document.components.securitySchemes))
    for (const { url, variables = {} } of document.servers)
      expect([...url.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)).toEqual(Object.keys(variables))
    expect(document.servers[1]?.variables?.repository?.enum).toEqual(['default', 'archive'])
    expect(document.paths['/health/live']?.servers).toEqual([{ url: 'http://localhost/nuxeo' }])
  })

  test('components have names that are possible', () => {
    const names = Object.keys(document.components.schemas)
    expect(names.filter((name) => !/^[\w.-]+$/.test(name))).toEqual([])
    expect(names).toEqual(
      expect.arrayContaining(['document.Bill', 'properties.Bill', 'exception', 'document']),
    )
  })

  test('probes need nobody to be authenticated, everything else does', () => {
    const open = operations.filter(({ operation }) => operation.security?.length === 0)
    expect(open.map(({ path }) => path).sort()).toEqual([
      '/health/live',
      '/health/ready',
      '/metrics',
      '/runningstatus',
    ])
  })
})

describe('the properties of a type', () => {
  const validate = createValidator(document as unknown as Json)
  const findings = (values: object) => validate({ $ref: '#/components/schemas/properties.Bill' }, values)
  const blob = { name: 'a', length: '3' }

  test.each<[string, unknown]>([
    ['bill:number', 'AB-12'],
    ['bill:color', null],
    ['bill:color', 'red'],
    ['bill:net', 9.5],
    ['bill:net', null],
    ['bill:count', 7],
    ['bill:due', '2015-07-01T08:00:00.000Z'],
    ['bill:tags', ['a', null]],
    ['bill:tags', null],
    ['bill:owner', 'anna'],
    ['bill:owner', null],
    ['bill:scan', blob],
    ['bill:scan', null],
    ['bill:lines', [{ text: null, file: blob }]],
    ['other:field', 1],
  ])('%s may be %j', (key, value) => {
    expect(findings({ [key]: value })).toEqual([])
  })

  test.each<[string, unknown]>([
    ['bill:number', null],
    ['bill:number', 'AB-12 x'],
    ['bill:number', 'AB-123456789'],
    ['bill:color', 'blue'],
    ['bill:net', 10],
    ['bill:net', -1],
    ['bill:count', 1.5],
    ['bill:paid', 'true'],
    ['bill:due', 5],
    ['bill:tags', 'a'],
    ['bill:owner', 5],
    ['bill:scan', 'text'],
    ['bill:lines', [{ text: 5 }]],
    ['bill:lines', [{ unknown: 5 }]],
  ])('%s may not be %j', (key, value) => {
    expect(findings({ [key]: value })).toHaveLength(1)
  })

  test('report defaults', () => {
    const { properties } = document.components.schemas['properties.Bill'] as { properties: Json }
    expect(properties['bill:count']).toMatchObject({ default: 3 })
  })
})
