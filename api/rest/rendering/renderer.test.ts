import { expect, test } from 'vitest'
import type { DocumentRecord } from '../../../core/model/properties/index.js'
import type { Rendering } from '../entities/index.js'
import { createAddedBudget, createRenderer, MAX_NESTED, type RenderScope } from './renderer.js'

const document = { id: 'd' } as DocumentRecord

/** A renderer whose one enricher shows so many documents inside each. */
const rendererOf = (inside: number, rendering: Partial<Rendering>) => {
  const scope = {
    c: { req: { header: () => undefined } },
    writeDocument: () => ({}),
    nesting: { left: MAX_NESTED },
    spendAdded: createAddedBudget(),
    enrichersNamed: ({ enrichers }: Rendering) =>
      enrichers.map((asked) => ({
        asked,
        enricher: {
          name: asked,
          enrich: ({
            documents,
            renderer,
          }: {
            documents: unknown[]
            renderer: ReturnType<typeof createRenderer>
          }) =>
            Promise.all(
              documents.map(async () => ({ [asked]: await renderer.many(Array(inside).fill(document)) })),
            ),
        },
      })),
  } as unknown as RenderScope
  const asked = { properties: [], enrichers: ['children'], categories: [], fetch: [], depth: 0, ...rendering }
  return createRenderer(scope, asked)
}

test.each([
  ['without properties', { depth: 0 }, 50_000],
  ['of one level that is shown whole', { depth: 1 }, 67],
])('documents inside others %s are written up to a number', async (_what, rendering, most) => {
  expect(await rendererOf(most, rendering).one(document)).toBeDefined()
  await expect(rendererOf(most + 1_000, rendering).one(document)).rejects.toMatchObject({
    code: 'badRequest',
    message: expect.stringContaining('depth'),
  })
})

test('the documents that are asked for are not among them', async () => {
  const page = Array(MAX_NESTED * 20).fill(document)
  expect(await rendererOf(0, {}).many(page)).toHaveLength(page.length)
})

test('what documents have in common counts for each of them', async () => {
  const title = 'x'.repeat(2 ** 20)
  const enricher = {
    name: 'shared',
    enrich: async ({ documents }: { documents: unknown[] }) => documents.map(() => ({ shared: { title } })),
  }
  const scope = {
    c: {},
    writeDocument: () => ({}),
    nesting: { left: MAX_NESTED },
    spendAdded: createAddedBudget(),
    enrichersNamed: () => [{ asked: 'shared', enricher }],
  } as unknown as RenderScope
  const asked = { properties: [], enrichers: ['shared'], categories: [], fetch: [], depth: 0 }
  const page = (size: number) =>
    createRenderer(scope, asked as unknown as Rendering).many(Array(size).fill(document))
  expect(await page(60)).toHaveLength(60)
  await expect(page(4)).rejects.toMatchObject({
    code: 'tooLarge',
    message: expect.stringContaining('pageSize'),
  })
})

test('nothing is rendered for who has gone', async () => {
  const c = { env: { outgoing: { destroyed: true } } }
  const scope = { c, enrichersNamed: () => [] } as unknown as RenderScope
  const asked = { properties: [], enrichers: [], categories: [], fetch: [], depth: 0 }
  await expect(createRenderer(scope, asked as unknown as Rendering).many([document])).rejects.toThrow(
    'has closed the connection',
  )
})
