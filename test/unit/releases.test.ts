import { describe, expect, test } from 'vitest'
import { migrations } from '../upgrade/dump.js'
import { readRelease, releases } from '../upgrade/fixture.js'

describe.each(releases())('the migrations of the release %s', (version) => {
  // A database that has had one never has it again, so that whoever upgrades would not get the change.
  test('are as they were released', () => {
    const released = readRelease(version).migrations
    const today = migrations().map(({ tag, hash }) => ({ tag, hash }))
    expect(today.slice(0, released.length)).toEqual(released)
  })
})
