import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { createClient } from '../support/rest-client.js'
import { createTestPlatform } from '../support/rest-support.js'

const call = createClient(await createTestPlatform())
const DOMAIN = '/api/v1/path/default-domain'
const FILE = JSON.stringify({ 'entity-type': 'document', type: 'File', name: 'packed' })

test.each(['gzip', 'deflate, gzip', 'br', 'x'])(
  'a body in %s is refused before it is read',
  async (encoding) => {
    const headers = { 'Content-Type': 'application/json', 'Content-Encoding': encoding }
    const answer = await call('POST', DOMAIN, { body: gzipSync(FILE), headers })
    expect([answer.status, answer.json.message]).toEqual([
      415,
      `Content-Encoding: ${encoding} is not supported; send the body uncompressed`,
    ])
    const file = await call('PUT', `${DOMAIN}/@blob/file:content`, { body: gzipSync(FILE), headers })
    expect(file.status).toBe(415)
  },
)

test('one that says that it is none is read', async () => {
  const headers = { 'Content-Type': 'application/json', 'Content-Encoding': 'identity' }
  expect((await call('POST', DOMAIN, { body: FILE, headers })).status).toBe(201)
})
