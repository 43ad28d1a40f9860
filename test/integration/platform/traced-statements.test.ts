import { context, trace } from '@opentelemetry/api'
import { InMemorySpanExporter, NodeTracerProvider, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-node'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { inSpan } from '../../../core/platform/telemetry/index.js'
import { createDatabase } from '../../../storage/postgres/index.js'
import { createTestDatabase } from '../../support/index.js'

const exporter = new InMemorySpanExporter()
const provider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] })
provider.register()

const { url } = await createTestDatabase()
const database = createDatabase({ url, isTraced: true })
const { sql } = database

afterAll(async () => {
  await database.close()
  await provider.shutdown()
})

beforeEach(() => exporter.reset())

/** Names of the spans that work in a trace leaves, in the order of their ends. */
const spansOf = async (work: () => Promise<unknown>): Promise<string[]> => {
  await inSpan('test', {}, work)
  return exporter.getFinishedSpans().map(({ name }) => name)
}

describe('statements of a trace', () => {
  test('have their text with placeholders and none of their values', async () => {
    expect(await spansOf(() => sql`SELECT ${'secret'}::text AS word FROM documents`)).toEqual([
      'SELECT documents',
      'test',
    ])
    const attributes = exporter.getFinishedSpans()[0]?.attributes
    expect(attributes?.['db.query.text']).toBe('SELECT $1::text AS word FROM documents')
    expect(JSON.stringify(attributes)).not.toContain('secret')
  })

  test('have one span with all their parts', async () => {
    const part = sql`WHERE id IS NULL`
    expect(await spansOf(() => sql`SELECT id FROM documents ${part} LIMIT ${1}`)).toEqual([
      'SELECT documents',
      'test',
    ])
  })

  test('give what they give without a trace', async () => {
    await inSpan('test', {}, async () => {
      expect(await sql`SELECT 1 AS one`).toEqual([{ one: 1 }])
      expect(await sql`SELECT 1 AS one`.values()).toEqual([[1]])
      expect(await sql.unsafe('SELECT $1::int AS two', [2])).toEqual([{ two: 2 }])
      const rows: unknown[] = []
      for await (const page of sql`SELECT generate_series(1, 3) AS n`.cursor(2)) rows.push(...page)
      expect(rows).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }])
    })
  })

  test('fail as they do without a trace, and mark their span', async () => {
    const failing = spansOf(() => sql`SELECT nothing FROM documents`)
    await expect(failing).rejects.toMatchObject({ code: '42703' })
    const [span] = exporter.getFinishedSpans()
    expect(span).toMatchObject({
      name: 'SELECT documents',
      status: { code: 2, message: expect.stringContaining('nothing') },
    })
  })
})

test('a transaction has the statements below it, and what fails is rolled back', async () => {
  await sql`CREATE TABLE traced (n int)`
  const names = await spansOf(async () => {
    const work = database.transaction(async (tx) => {
      await tx`INSERT INTO traced VALUES (1)`
      throw new Error('no')
    })
    await expect(work).rejects.toThrow('no')
  })
  expect(names).toEqual(['INSERT traced', 'transaction', 'test'])
  expect(await sql`SELECT n FROM traced`).toEqual([])
})

test('outside of a trace no span begins', async () => {
  expect(trace.getSpan(context.active())).toBeUndefined()
  await sql`SELECT 1`
  await database.transaction((tx) => tx`SELECT 1`)
  expect(exporter.getFinishedSpans()).toEqual([])
})
