import { Hono } from 'hono'
import { expect, test } from 'vitest'
import type { Environment } from '../../edge/index.js'
import { parseJson, readText } from './body.js'

/** Names in maps of all levels, and colons in texts that are none. */
const named = (count: number) =>
  `{"list":[${Array.from({ length: count - 1 }, () => '{"a":"b:\\"c:"}').join(',')}]}`

test('a body has twenty thousand names at most', () => {
  expect(parseJson(named(50_000))).toHaveProperty('list.length', 49_999)
  expect(() => parseJson(named(50_001))).toThrow(
    expect.objectContaining({
      code: 'badRequest',
      message: 'The request body has more than 50000 names in its maps',
    }),
  )
})

const MIB = 1024 * 1024

test.each([
  ['{}', 100_001, 'more than 100000 lists and maps'],
  ['[]', 100_001, 'more than 100000 lists and maps'],
  ['1', 1_000_002, 'more than 1000000 values'],
])('a list of %s has so many at most', (value, count, message) => {
  const text = (length: number) => `[${Array(length).fill(value).join(',')}]`
  expect(parseJson(text(count - 2))).toHaveLength(count - 2)
  expect(() => parseJson(text(count))).toThrow(message)
})

/** An app that reads bodies of the user that a header names, and says how long they are. */
const app = new Hono<Environment>()
app.post('/', async (c) => {
  c.set('principal', { name: c.req.header('X-User') } as never)
  try {
    return c.json({ length: (await readText(c, 40 * MIB)).length })
  } catch (error) {
    return c.json({ code: (error as { code: string }).code })
  }
})

/** A request whose body has begun, and what ends it. */
const begun = (user: string, { declared, sent = 1 }: { declared?: number; sent?: number }) => {
  let end = (): void => undefined
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      controller.enqueue(new Uint8Array(sent).fill(0x20))
      end = () => controller.close()
    },
  })
  const headers = { 'X-User': user, ...(declared !== undefined && { 'Content-Length': String(declared) }) }
  const init: RequestInit & { duplex: 'half' } = { method: 'POST', headers, body, duplex: 'half' }
  const answer = Promise.resolve(app.request('/', init)).then((response) => response.json())
  return { answer, end }
}

test.each([
  ['declared', { declared: 30 * MIB }],
  ['counted', { sent: 30 * MIB }],
])('bodies on their way of one user are so many bytes at most, %s', async (_, size) => {
  const open = [begun('eve', size), begun('eve', size)]
  await new Promise((resolve) => setImmediate(resolve))
  expect(await begun('eve', size).answer).toEqual({ code: 'tooManyRequests' })
  const other = begun('bob', size)
  for (const each of [...open, other]) each.end()
  expect(await other.answer).toHaveProperty('length')
  expect(await open[0]?.answer).toHaveProperty('length')
  await open[1]?.answer
  const last = begun('eve', size)
  last.end()
  expect(await last.answer).toHaveProperty('length')
})
