import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { createLiveLines } from './live-lines.js'

test('rewrites its lines in place, no wider than the terminal', () => {
  const stderr = Object.assign(new PassThrough(), { columns: 10 })
  const lines = createLiveLines({ stderr })
  lines.show(['a', 'b'.repeat(20)])
  lines.show(['c', 'd'])
  lines.keep()
  lines.show(['e'])
  expect(String(stderr.read())).toBe('\x1b[0Ja\nbbbbbbbb…\n\x1b[2A\x1b[0Jc\nd\n\x1b[0Je\n')
})
