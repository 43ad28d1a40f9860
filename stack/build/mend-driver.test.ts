import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { mend } from './mend-driver.js'

const driver = readFileSync(new URL(import.meta.resolve('postgres')), 'utf8')
const connection = readFileSync(new URL('connection.js', import.meta.resolve('postgres')), 'utf8')

test('no write is left that trusts the socket to be there, and no timer that is cancelled but kept', () => {
  const mended = mend(connection)
  expect(mended).not.toMatch(/clearImmediate\(nextWriteTimer\)(?!, chunk = nextWriteTimer = null)/)
  expect(mended).toMatch(/if \(!socket\) \{[^}]+return false\s+\}\s+const x = socket\.write/)
})

test('refuses a driver that it does not know', () => {
  expect(() => mend(driver)).toThrow(/has changed/)
})
