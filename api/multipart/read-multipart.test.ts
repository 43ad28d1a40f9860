import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { BlobStore } from '../../core/files/blobs/index.js'
import type { RequestContext } from '../edge/index.js'
import { readMultipart } from './index.js'

const TYPE = 'multipart/form-data; boundary=x'

const requestOf = (contents: readonly string[]): RequestContext => {
  const parts = contents.map(
    (content, n) =>
      `--x\r\nContent-Disposition: form-data; name="f${n}"; filename="f${n}"\r\n\r\n${content}\r\n`,
  )
  const headers = { 'content-type': TYPE }
  const raw = new Request('http://localhost/', {
    method: 'POST',
    headers,
    body: `${parts.join('')}--x--\r\n`,
  })
  const header = (name: string) => raw.headers.get(name) ?? undefined
  return { req: { raw, header } } as unknown as RequestContext
}

/** Reads a body, and counts the files that were written, and those at once. */
const read = async (contents: readonly string[]) => {
  const counts = { written: 0, atOnce: 0 }
  let open = 0
  const write = async (stream: Readable) => {
    counts.written++
    counts.atOnce = Math.max(counts.atOnce, ++open)
    await setImmediate()
    const { length } = await buffer(stream)
    open--
    return { digestAlgorithm: 'MD5', digest: '', key: '', length }
  }
  const reading = readMultipart(requestOf(contents), {
    blobs: { write } as unknown as BlobStore,
    maxJsonBytes: 1_000,
    maxUploadBytes: 10_000_000,
  })
  const outcome = await reading.catch((error: Error) => error)
  return { outcome, counts }
}

test('few of many files are stored at once, and all keep their order', async () => {
  const { outcome, counts } = await read(Array(990).fill('ab'))
  expect(counts).toEqual({ written: 990, atOnce: 4 })
  const files = outcome instanceof Error ? [] : [...outcome.files]
  expect(files.map(([name, { length }]) => `${name} ${length}`)).toEqual(
    Array.from({ length: 990 }, (_, n) => `f${n} 2`),
  )
})

test('files of more bytes than may wait come whole', async () => {
  const { outcome, counts } = await read(Array(30).fill('x'.repeat(900_000)))
  expect(counts).toEqual({ written: 30, atOnce: 4 })
  const files = outcome instanceof Error ? [] : [...outcome.files.values()]
  expect(files.map(({ length }) => length)).toEqual(Array(30).fill(900_000))
})

test('a body of too many parts is refused without storing what is left of them', async () => {
  const { outcome, counts } = await read(Array(20_000).fill('ab'))
  expect(outcome).toMatchObject({ code: 'badRequest', message: 'More than 1000 parts' })
  expect(counts.written).toBeLessThan(1_000)
})
