import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { relatedAsForm } from './related-as-form.js'

const JSON_PART =
  'Content-Type: application/json+nxrequest; charset=UTF-8\r\nContent-ID: <request>\r\n\r\n{"params":{}}'
const TEXT = '\r\n--b\r and --b-- and \r\n--\r\n'
const FILE_PART = `Content-ID: input\r\nContent-Disposition: attachment;\r\n filename="caf\u00c3\u00a9.txt"\r\nContent-Type: text/plain\r\nContent-Transfer-Encoding: binary\r\n\r\n${TEXT}`
const BODY = `preamble\r\n--x-y\r\n${JSON_PART}\r\n--x-y\r\n${FILE_PART}\r\n--x-y\r\n\r\nbare\r\n--x-y--\r\n`

const FORM = [
  '\r\npreamble\r\n--x-y\r\n',
  'Content-Disposition: form-data; name="request"\r\n',
  'Content-Type: application/json+nxrequest; charset=UTF-8\r\n\r\n{"params":{}}\r\n--x-y\r\n',
  'Content-Disposition: form-data; name="input"; filename="caf\u00c3\u00a9.txt"\r\n',
  `Content-Type: text/plain\r\n\r\n${TEXT}\r\n--x-y\r\n`,
  'Content-Disposition: form-data; name="part2"; filename="part2"\r\n\r\nbare\r\n--x-y--\r\n',
].join('')

const translated = async (text: string, size: number): Promise<string> => {
  const bytes = Buffer.from(text, 'latin1')
  const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
    bytes.subarray(at * size, (at + 1) * size),
  )
  return (await buffer(Readable.from(chunks).pipe(relatedAsForm('x-y')))).toString('latin1')
}

test.each([1, 2, 3, 7, 50, 10_000])('parts are named as in a form, in chunks of %i bytes', async (size) => {
  expect(await translated(BODY, size)).toBe(FORM)
})

const streamed = (text: string): Promise<Buffer> => {
  const stream = relatedAsForm('x-y')
  stream.end(Buffer.from(text))
  return buffer(stream)
}

test.each([
  [
    'an encoding',
    '--x-y\r\nContent-Transfer-Encoding: base64\r\n\r\neA==\r\n--x-y--',
    /'base64' is not among/,
  ],
  ['endless headers', `--x-y\r\nX: ${'x'.repeat(20_000)}`, /headers of a part are too long/],
])('%s is refused', async (_case, text, message) => {
  await expect(streamed(text)).rejects.toThrow(message)
})

test('a body that breaks off is passed on as far as it goes', async () => {
  expect((await streamed('--x-y\r\nContent-Type: text')).toString()).toBe('\r\n--x-y\r\nContent-Type: text')
})
