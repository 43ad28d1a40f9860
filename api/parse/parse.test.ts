import { Hono } from 'hono'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { Environment } from '../edge/index.js'
import {
  anyText,
  commaList,
  count,
  entity,
  flag,
  parseInput,
  parseQuery,
  requiredWord,
  text,
  wholeNumber,
  word,
} from './index.js'

const query = z.object({ count, wholeNumber, commaList, word, flag, needed: requiredWord.optional() })

const read = async (search: string, schema: z.ZodObject = query): Promise<unknown> => {
  const app = new Hono<Environment>()
  app.get('/', (c) => c.json(parseQuery(c, schema)))
  app.onError((error, c) => c.text(error.message, 400))
  const response = await app.request(`/?${search}`)
  return response.status === 400 ? response.text() : response.json()
}

const NONE = { commaList: [], flag: false }

describe('parameters', () => {
  test.each<[string, object]>([
    ['', {}],
    ['count=5', { count: 5 }],
    ['count=%20%2B5%20', { count: 5 }],
    ['count=&wholeNumber=%20', {}],
    ['count=0&wholeNumber=-1', { count: 0, wholeNumber: -1 }],
    ['count=5&count=6', { count: 5 }],
    ['commaList=a,%20b,,&commaList=c', { commaList: ['a', 'b', 'c'] }],
    ['word=%20a%20b%20', { word: 'a b' }],
    ['word=%20', {}],
    ['flag=true', { flag: true }],
    ['flag=false&other=1', {}],
  ])('%s', async (search, expected) => {
    expect(await read(search)).toEqual({ ...NONE, ...expected })
  })

  test.each([
    ['count=ten', "count: 'ten' is not a whole number"],
    ['count=1.5', "count: '1.5' is not a whole number"],
    ['count=1e3', "count: '1e3' is not a whole number"],
    ['count=0x10', "count: '0x10' is not a whole number"],
    ['count=1234567890123456', "count: '1234567890123456' is not a whole number"],
    ['count=-1', 'count: -1 is negative'],
    ['wholeNumber=NaN', "wholeNumber: 'NaN' is not a whole number"],
    ['flag=yes', 'flag: expected true or false, found "yes"'],
    ['flag=', 'flag: expected true or false, found ""'],
  ])('%s is refused', async (search, message) => {
    expect(await read(search)).toBe(message)
  })

  test('one that must be there', async () => {
    const schema = z.object({ needed: requiredWord })
    expect(await read('needed=%20x', schema)).toEqual({ needed: 'x' })
    for (const search of ['', 'needed=', 'needed=%20'])
      expect(await read(search, schema)).toBe('needed: the parameter is missing')
  })
})

describe('entities', () => {
  const schema = entity('thing', {
    name: text,
    note: anyText,
    values: z.record(z.string(), z.unknown(), { error: 'must be a map of values' }).optional(),
    parts: z.array(z.object({ id: z.string({ error: 'must be a text' }) })).optional(),
  })
  const thing = (fields: object) => ({ 'entity-type': 'thing', ...fields })

  test.each<[object, object]>([
    [{}, {}],
    [{ name: ' a ' }, { name: ' a ' }],
    [{ name: '', note: '' }, { note: '' }],
    [{ name: null, note: null }, {}],
    [{ other: 1 }, {}],
    [{ values: { a: [1] } }, { values: { a: [1] } }],
  ])('%j', (sent, expected) => {
    expect(parseInput(schema, thing(sent))).toEqual(thing(expected))
  })

  test.each<[unknown, string]>([
    [null, 'The request body must be an entity of type thing'],
    [[], 'The request body must be an entity of type thing'],
    ['thing', 'The request body must be an entity of type thing'],
    [{}, 'entity-type: must be "thing", not undefined'],
    [{ 'entity-type': 'user', name: 7 }, 'entity-type: must be "thing", not "user"'],
    [thing({ name: 7 }), 'name: must be a text'],
    [thing({ note: ['a'] }), 'note: must be a text'],
    [thing({ values: [] }), 'values: must be a map of values'],
    [thing({ parts: [{ id: 'a' }, { id: 1 }] }), 'parts[1].id: must be a text'],
  ])('%j is refused', (sent, message) => {
    expect(() => parseInput(schema, sent)).toThrow(expect.objectContaining({ code: 'badRequest', message }))
  })

  test('what is no field of its own is never looked at', () => {
    const sent = JSON.parse(
      '{"entity-type": "thing", "__proto__": {"name": "x"}, "values": {"__proto__": 1}}',
    )
    const read = parseInput(schema, sent)
    expect(read.name).toBeUndefined()
    expect(Object.getPrototypeOf(read)).toBe(Object.prototype)
  })
})
