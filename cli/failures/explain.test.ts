import { expect, test } from 'vitest'
import { CliError } from './cli-error.js'
import { EXIT, exitCodeLines, exitCodeOf } from './exit-codes.js'
import { explain } from './explain.js'

test.each([
  [new CliError(EXIT.usage, 'no\n  way'), 'archivolt: no way', 2],
  [new Error('oops'), 'archivolt: oops', 1],
  ['text', 'archivolt: text', 1],
])('%s is one line', (error, text, exitCode) => {
  expect(explain(error, false)).toEqual({ text, exitCode })
})

test('reports everything when it is asked to', () => {
  const error = new CliError(EXIT.failed, 'no', { cause: new Error('because') })
  expect(explain(error, true).text).toMatch(/^archivolt: no\nCliError: no\n.+ at .+because/s)
})

test.each([
  [400, 5],
  [401, 4],
  [403, 4],
  [404, 6],
  [409, 7],
  [412, 7],
  [413, 5],
  [422, 5],
  [429, 9],
  [500, 1],
  [503, 3],
])('status %d is exit code %d', (status, exitCode) => {
  expect(exitCodeOf(status)).toBe(exitCode)
})

test('every exit code is one of its own and explained', () => {
  const codes = Object.values(EXIT)
  expect(new Set(codes).size).toBe(codes.length)
  expect(exitCodeLines()).toHaveLength(codes.length)
})
