import { expect, test } from 'vitest'
import { readMultipart } from './multipart.js'

const BODY = [
  '--b\r\ncontent-type: text/plain\r\nContent-Disposition: attachment; filename="a.txt"\r\n\r\none\r\n--not it\r\n',
  '\r\n--b\r\ncontent-type: x/y\r\n\r\n\r\n--b--\r\n',
].join('')

async function* pieces(text: string, size: number): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

const readAll = async (text: string, size: number, type = 'multipart/mixed; boundary="b"') => {
  const parts: [string | undefined, string][] = []
  for await (const part of readMultipart(pieces(text, size), type)) {
    const chunks: Buffer[] = []
    for await (const chunk of part.body) chunks.push(chunk)
    parts.push([part.headers.get('content-type'), Buffer.concat(chunks).toString()])
  }
  return parts
}

test.each([1, 2, 3, 7, 1_000])('reads parts that arrive %d bytes at a time', async (size) => {
  expect(await readAll(BODY, size)).toEqual([
    ['text/plain', 'one\r\n--not it\r\n'],
    ['x/y', ''],
  ])
})

test('refuses a body that is cut off', async () => {
  await expect(readAll(BODY.slice(0, -20), 5)).rejects.toThrow('ends before its last part')
})

test('refuses headers that do not end', async () => {
  await expect(readAll(`--b\r\n${'x'.repeat(100_000)}`, 10_000)).rejects.toThrow('without an end')
})

test('refuses a type without a boundary', async () => {
  await expect(readAll(BODY, 5, 'multipart/mixed')).rejects.toThrow('has no boundary')
})
