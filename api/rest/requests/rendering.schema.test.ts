import { Hono } from 'hono'
import { expect, test } from 'vitest'
import type { Environment } from '../../edge/index.js'
import {
  type EntityOptions,
  entityOptions,
  PLAIN_RENDERING,
  type Rendering,
  renderingOf,
} from '../entities/index.js'
import { renderingQuery } from './rendering.schema.js'

type Read = { rendering: Rendering } & { [entity: string]: unknown }

/** What the hand-written readers make of a request. */
const read = async (search: string, headers: Record<string, string> = {}): Promise<Read> => {
  const app = new Hono<Environment>()
  app.get('/', (c) =>
    c.json({
      rendering: renderingOf(c),
      acls: entityOptions(c, 'acls'),
      directoryEntry: entityOptions(c, 'directoryEntry'),
    }),
  )
  return (await app.request(`/?${search}`, { headers })).json() as Promise<Read>
}

const EFFECTS: { [parameter: string]: (found: Read) => unknown } = {
  properties: ({ rendering }) => rendering.properties,
  'enrichers-document': ({ rendering }) => rendering.enrichers,
  'fetch-document': ({ rendering }) => rendering.fetch,
  'fetch-directoryEntry': ({ directoryEntry }) => (directoryEntry as EntityOptions).fetch,
  'translate-directoryEntry': ({ directoryEntry }) => (directoryEntry as EntityOptions).translate,
  'fetch-acls': ({ acls }) => (acls as EntityOptions).fetch,
}

const lists = Object.keys(renderingQuery.shape).filter((name) => name !== 'depth')

test('every list that is described has an effect here', () => {
  expect(lists).toEqual(Object.keys(EFFECTS))
})

test.each(lists)('%s is read from headers and parameters, as it is described', async (name) => {
  const described = renderingQuery.shape[name as 'properties'].parse(['a, b', 'c'])
  expect(EFFECTS[name]?.(await read(`${name}=a,%20b&${name}=c`))).toEqual(described)
  expect(EFFECTS[name]?.(await read('', { [name]: 'a, b' }))).toEqual(['a', 'b'])
})

test('depths that are described are known, in their order', async () => {
  const depths = renderingQuery.shape.depth.meta()?.examples as string[]
  const found = await Promise.all(depths.map((depth) => read(`properties=*&depth=${depth}`)))
  expect(found.map(({ rendering }) => rendering.depth)).toEqual([0, 1, 2])
})

test('nothing asked, nothing shown', async () => {
  expect((await read('other=1')).rendering).toEqual(PLAIN_RENDERING)
})
