import { expect, test } from 'vitest'
import { readCursor, writeCursor } from './cursor.js'

const isPlace = (value: unknown): value is { at: number } =>
  typeof (value as { at?: unknown } | null)?.at === 'number'
const read = (text: string | undefined) => readCursor(text, { isPlace, pages: 'runs' })

test('a cursor is read as it was written, and none is the first page', () => {
  expect(read(writeCursor({ at: 3 }))).toEqual({ at: 3 })
  expect(read(undefined)).toBeUndefined()
})

test.each(['', 'nonsense', writeCursor({ at: '3' }), Buffer.from('null').toString('base64url')])(
  'the cursor "%s" is refused',
  (text) => {
    expect(() => read(text)).toThrow('cursor: is not valid; send nextCursor of an earlier page of runs')
  },
)
