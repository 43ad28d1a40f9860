import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { SYSTEM } from '../../../core/access/security/index.js'
import { openClient } from '../engine/index.js'
import { createEngineSearches } from './search.js'

const PIECES = 200

test.each([
  ['whose length is known', { 'content-length': String(PIECES * 1024 * 1024) }],
  ['in pieces', {}],
])('an answer that is too large is refused before the rest is read: %s', async (_, headers) => {
  let sent = 0
  const server = createServer((_, response) => {
    response.writeHead(200, {
      'content-type': 'application/json',
      'x-elastic-product': 'Elasticsearch',
      ...headers,
    })
    const piece = ' '.repeat(1024 * 1024)
    const write = (): void => {
      while (!response.destroyed && sent < PIECES && response.write(piece)) sent++
      response.once('drain', write)
    }
    write()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const client = await openClient(`http://127.0.0.1:${port}`)
  const searches = createEngineSearches({
    client,
    repositories: new Map(),
    rightsOf: async () => [],
    auditIndex: 'audit',
    sharing: (_, search) => search(),
    timeoutMs: 10_000,
  })
  try {
    await expect(
      searches.search(
        { kind: 'audit', filter: undefined },
        { body: undefined, parameters: new Map() },
        { principal: SYSTEM },
      ),
    ).rejects.toMatchObject({ code: 'tooLarge', message: expect.stringContaining('16777216 bytes') })
    expect(sent).toBeLessThan(PIECES)
  } finally {
    await client.close()
    server.closeAllConnections()
    server.close()
  }
})
