import { expect, test } from 'vitest'
import { checkPatched } from './open.js'

test('nothing runs on the driver without its patch', () => {
  expect(() => checkPatched({ options: {} })).toThrow('"npx patch-package" applies what is in patches/')
  expect(() => checkPatched({ options: { answer_timeout: 75 } })).not.toThrow()
})
