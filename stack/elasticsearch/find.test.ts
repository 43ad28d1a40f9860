import { expect, test } from 'vitest'
import { findMeans, javaVersion } from './find.js'

test.each([
  ['openjdk version "17.0.15" 2025-04-15', 17],
  ['java version "1.8.0_392"', 1],
  ['openjdk version "25" 2025-09-16', 25],
  ['no such thing', 0],
])('%s', (words, version) => {
  expect(javaVersion(words)).toBe(version)
})

test('says what is missing', async () => {
  expect(await findMeans({ PATH: '/nowhere' })).toBe(
    'no Java is on the PATH or in JAVA_HOME (version 17 or later)',
  )
})
