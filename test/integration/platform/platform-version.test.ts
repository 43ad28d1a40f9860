import { expect, test } from 'vitest'
import { createClient } from '../support/rest-client.js'
import { createTestPlatform } from '../support/rest-support.js'

const platform = await createTestPlatform({ ARCHIVOLT_PLATFORM_VERSION: '10.10-HF60' })
const call = createClient(platform)

test('clients read the release that the operator has set, in both places where they look for it', async () => {
  const { json: repositories } = await call('GET', '/nuxeo/json/cmis')
  expect(repositories.default.productVersion).toBe('10.10-HF60')
  const { json: capabilities } = await call('GET', '/nuxeo/api/v1/capabilities')
  expect(capabilities.server.distributionVersion).toBe('10.10-HF60')
})
