import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { SYSTEM } from '../../../core/access/security/index.js'
import { createAutomationRuntime } from '../../../runtime/index.js'
import { addUser, createClient } from '../support/rest-client.js'
import { createTestPlatform } from '../support/rest-support.js'

const config = mkdtempSync(join(tmpdir(), 'archivolt-headers-'))
afterAll(() => rmSync(config, { recursive: true, force: true }))
writeFileSync(
  join(config, 'headers.yaml'),
  `
responseHeaders:
  X-Frame-Options: { value: DENY }
  Referrer-Policy: { enabled: false }
  documents: { header: X-Team, value: content, pattern: '(/nuxeo)?/api/v1/(id|path)/.*' }
configuration:
  nuxeo.automation.allowVirtualUser: { value: true }
  team.colour: { value: blue }
`,
)
const platform = await createTestPlatform({ ARCHIVOLT_CONFIG: config })
const call = createClient(platform)
await addUser(platform, 'ann', ['members'])

test('responses have the headers of the contributions, by path, unless a route sets its own', async () => {
  const document = (await call('GET', '/nuxeo/api/v1/path/')).headers
  expect([document.get('X-UA-Compatible'), document.get('X-Frame-Options')]).toEqual(['IE=10; IE=11', 'DENY'])
  expect([document.get('Referrer-Policy'), document.get('X-Team')]).toEqual([null, 'content'])
  const other = (await call('GET', '/api/v1/config/facets')).headers
  expect([other.get('X-UA-Compatible'), other.get('X-Team')]).toEqual(['IE=10; IE=11', null])
})

test.each([
  ['a name that is none', 'bad name', { value: 'x' }, /no name of a header/],
  ['a header of the server', 'Content-Length', { value: '1' }, /set by the server itself/],
  ['a line break', 'X-A', { value: 'a\r\nX-B: b' }, /visible characters/],
  ['a wrong pattern', 'X-A', { value: 'a', pattern: '(' }, /regular expression/],
])('%s is refused when it is deployed', async (_, name, content, message) => {
  const { deployments, close } = await createAutomationRuntime(platform)
  try {
    const text = JSON.stringify(content)
    await expect(
      deployments.deploy({
        ...{ principal: SYSTEM, point: 'responseHeaders', name, format: 'json', text },
        precondition: {},
      }),
    ).rejects.toMatchObject({ code: 'invalid', message: expect.stringMatching(message) })
  } finally {
    await close()
  }
})

test('administrators read the values of the configuration, with defaults', async () => {
  const { status, json } = await call('GET', '/api/v1/config/properties')
  expect([status, json['entity-type']]).toEqual([200, 'configurationProperties'])
  const entries = new Map(json.entries.map((entry: { name: string }) => [entry.name, entry]))
  expect(entries.get('archivolt.automation.allowVirtualUser')).toMatchObject({
    ...{ value: 'true', default: 'false', isContributed: true },
    aliases: ['nuxeo.automation.allowVirtualUser'],
  })
  expect(entries.get('archivolt.cors.allowNullOrigin')).toMatchObject({
    value: 'false',
    isContributed: false,
  })
  expect(entries.get('team.colour')).toMatchObject({ value: 'blue', default: null })
  expect((await call('GET', '/api/v1/config/properties', { user: 'ann' })).status).toBe(403)
})
