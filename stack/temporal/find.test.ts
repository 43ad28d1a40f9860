import { expect, test } from 'vitest'
import { findTemporal } from './find.js'

test('says what to install or set when there is neither Temporal nor Go', async () => {
  const env = { PATH: '/nowhere', XDG_CACHE_HOME: '/nowhere' }
  await expect(findTemporal({ env, onBuild: () => expect.unreachable() })).rejects.toThrow(
    /^Temporal is not installed: .*TEMPORAL_ADDRESS/,
  )
})
