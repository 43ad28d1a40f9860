import { afterAll, expect, test } from 'vitest'
import { createEngine } from '../../api/engine.js'
import { createClient } from '../integration/support/rest-client.js'
import { fuzz } from '../integration/support/rest-fuzz.js'
import { createTestPlatform } from '../integration/support/rest-support.js'
import { seededRandom, testSeed } from '../support/random.js'
import { sized } from '../support/size.js'

const platform = await createTestPlatform({ TEMPORAL_ADDRESS: '127.0.0.1:1' })
const engine = await createEngine(platform)
afterAll(() => engine.close())

const seed = testSeed()

test(`100,000 random requests of seed ${seed} meet no fault`, { timeout: 1_800_000 }, async () => {
  const client = createClient(platform, engine)
  const statuses = await fuzz(platform, client, {
    random: seededRandom(seed),
    count: sized({ full: 100_000, sample: 10_000 }),
  })
  expect([...statuses.keys()].every((status) => status < 500)).toBe(true)
})
