import { expect, test, vi } from 'vitest'
import type { BlobValue } from '../../model/properties/index.js'
import { createBlobValue } from '../blobs/index.js'
import type { ConversionRequest } from './conversions.js'
import { sharedConversions } from './shared.js'

const blob = (digit: string): BlobValue =>
  createBlobValue({
    stored: { key: digit.repeat(64), digest: digit.repeat(32), digestAlgorithm: 'MD5', length: 1 },
    name: `${digit}.txt`,
  })

/** Conversions that end when the test ends them, or when they are stopped. */
const bench = () => {
  const open: { finish(): void; request: ConversionRequest }[] = []
  const stored = new Set<string>()
  let version = 1
  const convert = vi.fn(
    (request: ConversionRequest) =>
      new Promise<BlobValue>((resolve, reject) => {
        request.signal?.addEventListener('abort', () => reject(request.signal?.reason))
        const result = blob('b')
        open.push({ request, finish: () => resolve(result) })
        stored.add(result.digest)
      }),
  )
  const stat = async ({ digest }: { digest: string }) =>
    stored.has(digest) ? { key: digest, length: 1, modifiedAt: new Date(0) } : null
  const shared = sharedConversions(convert, { store: { stat: stat as never }, version: () => version })
  const deploy = () => {
    version++
  }
  return { shared, convert, open, stored, deploy }
}

const request = (more: Partial<ConversionRequest> = {}): ConversionRequest => ({
  source: blob('a'),
  type: 'text/html',
  ...more,
})

const settled = () => new Promise((resolve) => setImmediate(resolve))

test('the same request at once, and again later, is converted once', async () => {
  const { shared, convert, open } = bench()
  const fractions: number[] = []
  const both = [shared(request()), shared(request({ onProgress: (fraction) => fractions.push(fraction) }))]
  await settled()
  open[0]?.request.onProgress?.(0.5)
  open[0]?.finish()
  expect(await Promise.all(both)).toEqual([blob('b'), blob('b')])
  expect(await shared(request())).toEqual(blob('b'))
  expect([convert.mock.calls.length, fractions]).toEqual([1, [0.5]])
})

test.each<[string, Partial<ConversionRequest>]>([
  ['another file', { source: blob('c') }],
  ['another target', { type: 'text/plain' }],
  ['other parameters', { parameters: { width: '1' } }],
  ['another owner', { owner: { name: 'ann', isAdministrator: false } }],
])('%s is another conversion', async (_case, more) => {
  const { shared, convert, open } = bench()
  const both = [shared(request()), shared(request(more))]
  await settled()
  for (const { finish } of open) finish()
  await Promise.all(both)
  expect(convert).toHaveBeenCalledTimes(2)
})

test('what is not stored any more, or was made by other converters, is converted again', async () => {
  const { shared, convert, open, stored, deploy } = bench()
  const once = async () => {
    const result = shared(request())
    await settled()
    open.at(-1)?.finish()
    await result
  }
  await once()
  stored.clear()
  await once()
  expect(convert).toHaveBeenCalledTimes(2)
  deploy()
  await once()
  expect(convert).toHaveBeenCalledTimes(3)
})

test('who leaves does not stop it for others; the last one does', async () => {
  const { shared, open } = bench()
  const [first, second] = [new AbortController(), new AbortController()]
  const [one, two] = [shared(request({ signal: first.signal })), shared(request({ signal: second.signal }))]
  await settled()
  first.abort(new Error('first left'))
  await expect(one).rejects.toThrow('first left')
  expect(open[0]?.request.signal?.aborted).toBe(false)
  second.abort(new Error('second left'))
  await expect(two).rejects.toThrow('second left')
  expect(open[0]?.request.signal?.aborted).toBe(true)
})

test('a failure is not remembered', async () => {
  const { convert, shared, open } = bench()
  convert.mockRejectedValueOnce(new Error('a lost disk'))
  await expect(shared(request())).rejects.toThrow('a lost disk')
  const again = shared(request())
  await settled()
  open[0]?.finish()
  expect(await again).toEqual(blob('b'))
})
