import { createHash, randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterAll, describe, expect, test } from 'vitest'
import { writeHashed } from './write-hashed.js'

const MEBIBYTE = 1024 * 1024

const folder = mkdtempSync(join(tmpdir(), 'archivolt-write-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

let written = 0
const nextPath = (): string => join(folder, String(written++))

const partsOf = (content: Buffer, length: number): Buffer[] =>
  Array.from({ length: Math.ceil(content.length / length) }, (_, index) =>
    content.subarray(index * length, (index + 1) * length),
  )

const hex = (algorithm: string, content: Buffer): string =>
  createHash(algorithm).update(content).digest('hex')

const expectWhole = async (content: Buffer, source: Readable | Buffer): Promise<void> => {
  const path = nextPath()
  expect(await writeHashed(source, path, {})).toEqual({
    ...{ key: hex('sha256', content), digest: hex('md5', content) },
    ...{ digestAlgorithm: 'MD5', length: content.length },
  })
  expect(readFileSync(path).equals(content)).toBe(true)
}

describe('what is written is hashed', () => {
  test.each([
    [0, 1],
    [1, 1],
    [MEBIBYTE - 1, 65_536],
    [MEBIBYTE, 65_536],
    [MEBIBYTE + 1, 65_536],
    [5 * MEBIBYTE + 7, 65_521],
    [7 * MEBIBYTE, 3 * MEBIBYTE + 1],
  ])('%i bytes that come in parts of %i', async (length, partLength) => {
    const content = randomBytes(length)
    await expectWhole(content, Readable.from(partsOf(content, partLength)))
  })

  test('bytes that come as one', async () => {
    const content = randomBytes(4 * MEBIBYTE + 1)
    await expectWhole(content, content)
  })

  test('several contents at the same time', async () => {
    const contents = Array.from({ length: 12 }, (_, index) => randomBytes(2 * MEBIBYTE + index))
    await Promise.all(contents.map((each) => expectWhole(each, Readable.from(partsOf(each, 100_003)))))
  })
})

test('content that breaks off or is too long fails, and others go on', async () => {
  const content = randomBytes(6 * MEBIBYTE)
  const broken = async function* () {
    yield* partsOf(content, 65_536)
    throw new Error('cut')
  }
  const ends = Promise.allSettled([
    writeHashed(Readable.from(broken()), nextPath(), {}),
    writeHashed(Readable.from(partsOf(content, 65_536)), nextPath(), { maxLength: 3 * MEBIBYTE }),
    expectWhole(content, Readable.from(partsOf(content, 65_536))),
  ])
  const [cut, tooLong, whole] = await ends
  expect(cut).toMatchObject({ status: 'rejected', reason: { message: 'cut' } })
  expect(tooLong).toMatchObject({ status: 'rejected', reason: { code: 'tooLarge' } })
  expect(whole).toMatchObject({ status: 'fulfilled' })
  await expectWhole(content, content)
})
