import { expect, test } from 'vitest'
import { principalOf } from '../../access/security/index.js'
import { MAX_PAGE_SIZE } from '../../content/documents/index.js'
import { CHAIN_PARAMETERS, CHUNK_SIZE, type Value } from '../language/index.js'
import { createMemoryUnits } from './memory.fixture.js'
import { enteredState, packState, unpackState } from './state.js'

const ANN = principalOf('ann', [], false)

const bench = () => {
  const { units, kept } = createMemoryUnits()
  const within = <Result>(work: Parameters<typeof units.transaction<Result>>[1]) =>
    units.transaction(ANN, work)
  return {
    kept,
    pack: (input: Value, variables = {}) =>
      within(({ transient }) => packState(transient, { input, variables })),
    unpack: (packed: Parameters<typeof unpackState>[1]) =>
      within(({ transient }) => unpackState(transient, packed)),
  }
}

const idsOf = (count: number): string[] => Array.from({ length: count }, (_, index) => `id-${index}`)

test('a small state travels as it is', async () => {
  const { pack, unpack, kept } = bench()
  const packed = await pack({ type: 'string', value: 'x' }, { a: { type: 'string', value: 'y' } })
  const state = { input: { type: 'string', value: 'x' }, variables: { a: { type: 'string', value: 'y' } } }
  expect(packed).toEqual({ state })
  expect(await unpack(packed)).toEqual(state)
  expect(kept().values.size).toBe(0)
})

test('a document travels by its id', async () => {
  const { pack } = bench()
  const document = { type: 'document', id: 'one', record: { title: 'large' } } as never
  expect(await pack(document, { a: document })).toEqual({
    state: { input: { type: 'document', id: 'one' }, variables: { a: { type: 'document', id: 'one' } } },
  })
})

test('a list travels by its ids, and a long one by a key', async () => {
  const { pack, kept } = bench()
  const short = { type: 'documents', ids: idsOf(CHUNK_SIZE) } as const
  expect(await pack(short)).toEqual({ state: { input: short, variables: {} } })
  expect(kept().lists.size).toBe(0)
  const ids = idsOf(CHUNK_SIZE + 1)
  const packed = await pack({ type: 'documents', ids })
  expect(packed).toMatchObject({ state: { input: { type: 'documentList', count: ids.length } } })
  const [[key, list]] = [...kept().lists] as [[string, string[]]]
  expect(packed).toMatchObject({ state: { input: { key } } })
  expect(list).toEqual(ids)
})

test('what a list says of itself travels with it, its entries do not', async () => {
  const { pack } = bench()
  const page = { pageSize: 2, pageIndex: 0, resultsCount: 9, entries: ['large'] }
  const list = { type: 'documents', ids: ['a'], mustExist: true, source: { query: 'q' }, page } as never
  expect(await pack(list)).toEqual({
    state: {
      input: {
        type: 'documents',
        ids: ['a'],
        mustExist: true,
        source: { query: 'q' },
        page: { ...page, entries: [] },
      },
      variables: {},
    },
  })
})

test('a page of a query travels as it is up to the size of a page', async () => {
  const { pack } = bench()
  const page = { pageSize: MAX_PAGE_SIZE, pageIndex: 0, resultsCount: 9, entries: [] }
  const listOf = (count: number, more = {}) => ({ type: 'documents', ids: idsOf(count), ...more }) as never
  const typeOf = async (list: never) => {
    const packed = await pack(list)
    return 'state' in packed ? packed.state.input.type : 'kept'
  }
  const source = { query: 'q' }
  expect(MAX_PAGE_SIZE).toBeGreaterThan(CHUNK_SIZE)
  expect(await typeOf(listOf(MAX_PAGE_SIZE, { page, source }))).toBe('documents')
  expect(await typeOf(listOf(MAX_PAGE_SIZE + 1, { page, source }))).toBe('documentList')
  expect(await typeOf(listOf(MAX_PAGE_SIZE, { page }))).toBe('documentList')
  expect(await typeOf(listOf(MAX_PAGE_SIZE, { source }))).toBe('documentList')
})

test('a large state travels by a key, until it has expired', async () => {
  const { pack, unpack } = bench()
  const frame = JSON.stringify({ input: { type: 'string', value: '' }, variables: {} }).length
  const ofBytes = (bytes: number): Value => ({ type: 'string', value: 'x'.repeat(bytes - frame) })
  expect(await pack(ofBytes(128 * 1024))).toHaveProperty('state')
  const large = ofBytes(128 * 1024 + 1)
  const packed = await pack(large)
  expect(packed).toEqual({ key: expect.any(String) })
  expect(await unpack(packed)).toEqual({ input: large, variables: {} })
  await expect(unpack({ key: 'gone' })).rejects.toMatchObject({
    code: 'notFound',
    message: 'The state gone of this run has expired',
  })
})

test('a state has the limit of lists, in which a text that variables share counts for each', async () => {
  const { pack, kept } = bench()
  const shared: Value = { type: 'string', value: 'x'.repeat(4 * 1024 * 1024) }
  const variables = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`v${index}`, shared]))
  await expect(pack(shared, variables)).rejects.toMatchObject({ code: 'tooLarge' })
  expect(kept().values.size).toBe(0)
})

test('a chain begins with the parameters that it is given, over those of its caller and its own defaults', () => {
  const chain = {
    id: 'c',
    aliases: [],
    params: [{ name: 'b', type: 'string', values: ['default'] }],
    steps: [],
  } as never
  const input: Value = { type: 'string', value: 'x' }
  const caller = enteredState({ input, variables: {} }, undefined, { a: 'caller', d: 'caller' })
  const entered = enteredState(caller, chain, { a: 'given' })
  expect(entered.input).toBe(input)
  expect(entered.variables[CHAIN_PARAMETERS]).toEqual({
    type: 'json',
    value: { a: 'given', b: 'default', d: 'caller' },
  })
})
