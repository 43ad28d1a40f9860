import { afterAll, expect, test } from 'vitest'
import { createEngine } from '../../../api/engine.js'
import { seededRandom } from '../../support/random.js'
import { sized } from '../../support/size.js'
import { createClient } from '../support/rest-client.js'
import { fuzz } from '../support/rest-fuzz.js'
import { createTestPlatform } from '../support/rest-support.js'

const platform = await createTestPlatform({ TEMPORAL_ADDRESS: '127.0.0.1:1' })
const engine = await createEngine(platform)
afterAll(() => engine.close())

test('random requests are answered without a fault, and disclose nothing that is not theirs', async () => {
  const seed = Number(process.env.ARCHIVOLT_TEST_SEED ?? 4)
  const count = sized({ full: 10_000, sample: 1_000 })
  const client = createClient(platform, engine)
  const statuses = await fuzz(platform, client, { random: seededRandom(seed), count })
  for (const status of [200, 201, 400, 401, 403, 404, 405])
    expect(statuses.get(status), `${status}`).toBeGreaterThan(0)
})
