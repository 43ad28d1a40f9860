import { expect, test } from 'vitest'
import { languagesOf } from './languages.js'

test.each([
  [undefined, ['en']],
  ['*', ['en']],
  ['fr-FR,fr;q=0.9,de;q=0.95', ['fr', 'de', 'en']],
  ['en;q=0, de', ['de', 'en']],
  ['x;;q=,,;', ['en']],
])('%s', (header, languages) => {
  expect(languagesOf(header)).toEqual(languages)
})
