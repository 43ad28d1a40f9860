import { expect, test } from 'vitest'
import type { BlobValue } from '../../model/properties/index.js'
import { createBlobValue } from '../blobs/index.js'
import { createBeginning } from './begin.js'
import type { ConversionRequest } from './conversions.js'
import { sharedConversions } from './shared.js'

const blob = (digit: string): BlobValue =>
  createBlobValue({
    stored: { key: digit.repeat(64), digest: digit.repeat(32), digestAlgorithm: 'MD5', length: 1 },
    name: `${digit}.txt`,
  })

/** Conversions that end when the test ends them, or when they are stopped. */
const bench = ({ begunMs = 60_000, leftMs = 60_000, isShort = true } = {}) => {
  const open: { finish(): void; fail(error: Error): void; request: ConversionRequest }[] = []
  const convert = sharedConversions(
    (request) =>
      new Promise<BlobValue>((resolve, reject) => {
        request.signal?.addEventListener('abort', () => reject(request.signal?.reason))
        open.push({ request, finish: () => resolve(blob('b')), fail: reject })
      }),
    {
      store: { stat: (async () => ({ key: 'b', length: 1, modifiedAt: new Date(0) })) as never },
      version: () => 1,
    },
  )
  const begin = createBeginning({ convert, isShort: () => isShort }, { begunMs, leftMs })
  return { begin, convert, open }
}

const request = (more: Partial<ConversionRequest> = {}): ConversionRequest => ({
  source: blob('a'),
  type: 'text/html',
  ...more,
})

const settled = () => new Promise((resolve) => setImmediate(resolve))

test('what takes seconds is converted', async () => {
  const { begin, open } = bench()
  const begun = begin(request())
  await settled()
  open[0]?.finish()
  expect(await begun).toEqual(blob('b'))
})

test('what takes longer goes on, and who asks for it next joins it', async () => {
  const { begin, convert, open } = bench({ begunMs: 1 })
  expect(await begin(request())).toBe(null)
  const joined = convert(request())
  await settled()
  open[0]?.finish()
  expect(await joined).toEqual(blob('b'))
  expect(open).toHaveLength(1)
})

test('nobody asks for it: it is stopped', async () => {
  const { begin, open } = bench({ begunMs: 1, leftMs: 1 })
  expect(await begin(request())).toBe(null)
  await expect.poll(() => open[0]?.request.signal?.aborted).toBe(true)
})

test('it fails when nobody waits for it: who asks next tries again', async () => {
  const { begin, convert, open } = bench({ begunMs: 1 })
  expect(await begin(request())).toBe(null)
  open[0]?.fail(new Error('a lost disk'))
  await settled()
  const again = convert(request())
  await settled()
  open[1]?.finish()
  expect(await again).toEqual(blob('b'))
})

test('a failure and an abort end it at once', async () => {
  const { begin, open } = bench()
  const failing = begin(request())
  await settled()
  open[0]?.fail(new Error('no picture'))
  await expect(failing).rejects.toThrow('no picture')
  const abort = new AbortController()
  const stopped = begin(request({ signal: abort.signal }))
  await settled()
  abort.abort(new Error('cancelled'))
  await expect(stopped).rejects.toThrow('cancelled')
  expect(open[1]?.request.signal?.aborted).toBe(true)
})

test('what is expected to take longer is not begun', async () => {
  const { begin, open } = bench({ isShort: false })
  expect(await begin(request())).toBe(null)
  expect(open).toEqual([])
})

test('more than ten at once are not begun', async () => {
  const { begin, open } = bench()
  const begun = Array.from({ length: 10 }, (_, index) => begin(request({ parameters: { page: `${index}` } })))
  await settled()
  expect(await begin(request())).toBe(null)
  for (const { finish } of open) finish()
  await Promise.all(begun)
  const next = begin(request())
  await settled()
  open[10]?.finish()
  expect(await next).toEqual(blob('b'))
})
