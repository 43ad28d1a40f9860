import { expect, test } from 'vitest'
import { parseSettings } from './index.js'

const versionOf = (version?: string): string =>
  parseSettings({
    DATABASE_URL: 'postgres://localhost/archivolt',
    ...(version !== undefined && { ARCHIVOLT_PLATFORM_VERSION: version }),
  }).http.platformVersion

test.each(['2023.1', '10.10-HF60', '11.4.42', '2021.57.1-SNAPSHOT'])('%s is a version', (version) => {
  expect(versionOf(version)).toBe(version)
})

test('without a setting it is the one that the documentation names', () => {
  expect(versionOf()).toBe('2021.57')
})

// Clients compare its numbers: with another text they would choose features at random.
test.each(['latest', 'LTS 2023', '2023', 'v2023.1', '2023.', '2023.1 beta', ' 2023.1'])(
  '"%s" is refused',
  (version) => {
    expect(() => versionOf(version)).toThrow(
      'ARCHIVOLT_PLATFORM_VERSION: must be a version of the reference platform, e.g. 2021.57 or 10.10-HF60',
    )
  },
)
