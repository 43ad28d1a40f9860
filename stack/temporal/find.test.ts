import { dirname } from 'node:path'
import { expect, test } from 'vitest'
import { cacheFolder, findOnPath, findTemporal } from './find.js'

test('finds an executable on a PATH and skips what is missing', () => {
  const folder = dirname(process.execPath)
  expect(findOnPath('node', `/nowhere::${folder}`)).toBe(`${folder}/node`)
  expect(findOnPath('no-such-command', folder)).toBeUndefined()
  expect(findOnPath('node', undefined)).toBeUndefined()
})

test('the cache is where the user says', () => {
  expect(cacheFolder({ XDG_CACHE_HOME: '/cache' })).toBe('/cache/archivolt')
  expect(cacheFolder({})).toMatch(/\/\.cache\/archivolt$/)
})

test('says what to install or set when there is neither Temporal nor Go', async () => {
  const env = { PATH: '/nowhere', XDG_CACHE_HOME: '/nowhere' }
  await expect(findTemporal({ env, onBuild: () => expect.unreachable() })).rejects.toThrow(
    /^Temporal is not installed: .*TEMPORAL_ADDRESS/,
  )
})
