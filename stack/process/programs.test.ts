import { dirname } from 'node:path'
import { expect, test } from 'vitest'
import { cacheFolder, findOnPath } from './programs.js'

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
