import { expect, test } from 'vitest'
import { principalOf } from '../../access/security/index.js'
import type { BlobValue } from '../../model/properties/index.js'
import { findDownload, keepDownload } from './downloads.js'
import { createMemoryUnits } from './memory.fixture.js'

const DAY_MS = 24 * 60 * 60 * 1_000
const NOW = new Date('2030-01-01T00:00:00.000Z')
const [ANN, BOB] = [principalOf('ann', [], false), principalOf('bob', [], true)]

const BLOB: BlobValue = {
  name: 'a.zip',
  'mime-type': 'application/zip',
  encoding: null,
  digestAlgorithm: 'MD5',
  digest: 'd41d8cd98f00b204e9800998ecf8427e',
  length: 7,
}

const bench = () => {
  const { units, kept } = createMemoryUnits()
  const { transient } = units.reading(ANN)
  return {
    kept,
    keep: (blob: BlobValue) =>
      units.transaction(ANN, ({ transient: store }) =>
        keepDownload(store, { key: 'one', blob, session: { principal: ANN, now: NOW } }),
      ),
    find: (principal = ANN, now = NOW, key = 'one') =>
      findDownload(transient, { key, session: { principal, now } }),
  }
}

test('a file is kept for a day, for its caller alone', async () => {
  const { keep, find, kept } = bench()
  expect(await find()).toBeUndefined()
  await keep(BLOB)
  expect([...kept().values.keys()]).toEqual(['download/one'])
  expect(await find()).toEqual(BLOB)
  expect(await find(ANN, new Date(NOW.getTime() + DAY_MS - 1))).toEqual(BLOB)
  expect(await find(ANN, new Date(NOW.getTime() + DAY_MS))).toBeUndefined()
  expect(await find(ANN, NOW, 'two')).toBeUndefined()
  expect(await find(BOB)).toBeUndefined()
})

test('what is no file is not found', async () => {
  const { keep, find } = bench()
  await keep({ name: 'x' } as BlobValue)
  expect(await find()).toBeUndefined()
})
