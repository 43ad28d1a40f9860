import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { afterAll, expect, test } from 'vitest'
import { zipOf } from '../../../platform/archives/index.js'
import { sanitise } from './sanitise.js'

const folder = await mkdtemp(join(tmpdir(), 'archivolt-turns-'))
afterAll(() => rm(folder, { recursive: true }))

/** A document with a drawing of so many bytes. @returns its path. */
const documentWith = async (name: string, bytes: number): Promise<string> => {
  const part = '<path d="M0 0L1 1"/>'
  const drawing = Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg">${part.repeat(Math.ceil(bytes / part.length))}</svg>`,
  )
  const path = join(folder, name)
  const entries = [
    { name: 'word/media/i.svg', length: drawing.length, open: () => Readable.from([drawing]) },
    // So that it is not too small for what it holds.
    { name: 'word/filler', length: 1 << 20, open: () => Readable.from([Buffer.alloc(1 << 20, 'x')]) },
  ]
  await writeFile(path, await buffer(zipOf(entries)))
  return path
}

const looking = (input: string, user: string, signal?: AbortSignal) =>
  sanitise({
    ...{ input, mimeType: 'application/zip', encoding: null },
    ...{ owner: { name: user, isAdministrator: false }, signal },
  })

test('documents of one user are looked through one after the other, and hold up nobody else', async () => {
  const [large, small, others] = await Promise.all([
    documentWith('large', 4_000_000),
    documentWith('small', 100),
    documentWith('others', 100),
  ])
  const order: string[] = []
  const noted = async (what: string, work: Promise<unknown>) => {
    await work
    order.push(what)
  }
  await Promise.all([
    noted('large', looking(large, 'eve')),
    noted('small', looking(small, 'eve')),
    noted('of another', looking(others, 'ann')),
  ])
  expect(order).toEqual(['of another', 'large', 'small'])
})

test('who gives up ends it at once', async () => {
  const giving = new AbortController()
  const given = looking(await documentWith('given-up', 8_000_000), 'eve', giving.signal)
  giving.abort(new Error('given up'))
  await expect(given).rejects.toThrow('given up')
})

test('a drawing that is too large to be cleaned is refused', async () => {
  await expect(looking(await documentWith('too-large', 17 * 1024 * 1024), 'eve')).rejects.toMatchObject({
    code: 'invalid',
    message: 'The document is too large for its drawings to be checked',
  })
})
