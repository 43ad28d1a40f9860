import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { resumedRead } from './resumed-read.js'

const cut = (text: string): Readable =>
  Readable.from(
    (async function* () {
      yield Buffer.from(text)
      throw new Error('cut')
    })(),
  )

test('goes on where a connection was cut', async () => {
  const offsets: number[] = []
  const read = resumedRead(cut('abc'), async (offset) => {
    offsets.push(offset)
    return Readable.from([Buffer.from('def')])
  })
  expect([(await buffer(read)).toString(), offsets]).toEqual(['abcdef', [3]])
})

test('what ends it before anybody reads is for whoever reads it then', async () => {
  const read = resumedRead(cut('abc'), async () => {
    throw new Error('gone')
  })
  for (let round = 0; round < 10 && !read.errored; round++) await turn()
  expect(read.errored).toMatchObject({ message: 'gone' })
  await expect(buffer(read)).rejects.toThrow('gone')
})
