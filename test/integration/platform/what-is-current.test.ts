import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createEngine } from '../../../api/engine.js'
import { SYSTEM } from '../../../core/access/security/index.js'
import { createPlatform } from '../../../runtime/index.js'
import { openDatabaseGate } from '../support/database-gate.js'
import { addUser, type Call, createClient, type Entity } from '../support/rest-client.js'
import { createTestPlatform } from '../support/rest-support.js'

/** Two processes on one database, of which the other one is notified of nothing: its notifications vanish. */

const here = await createTestPlatform()
const gate = await openDatabaseGate(here.settings.databaseUrl, Math.random)
const other = await createPlatform({ ...here.settings, databaseUrl: gate.url }, pino({ level: 'silent' }))
const engines = await Promise.all([here, other].map((platform) => createEngine(platform)))
afterAll(async () => {
  for (const engine of engines) await engine.close()
  await other.close()
  gate.close()
})
const call = createClient(here, engines[0])
const ask = createClient(other, engines[1])

const WORKSPACES = '/api/v1/path/default-domain/workspaces'
const AUTOMATION = '/api/v1/automation'

const deploy = async (point: string, name: string, body: string): Promise<void> => {
  const headers = { 'Content-Type': 'application/yaml' }
  const answer = await call('PUT', `/api/v1/contributions/${point}/${name}`, { body, headers })
  expect([200, 201], answer.text).toContain(answer.status)
}

const withPassword = (password: string): Call => ({
  headers: { Authorization: `Basic ${Buffer.from(`ann:${password}`).toString('base64')}` },
})

const change = async (method: string, path: string, json?: unknown): Promise<void> => {
  const answer = await call(method, path, json === undefined ? {} : { json })
  expect(answer.status, answer.text).toBeLessThan(300)
}

let file: Entity
beforeAll(async () => {
  await addUser(here, 'ann')
  const json = { 'entity-type': 'document', type: 'File', name: 'file', properties: { 'dc:title': 'File' } }
  file = (await call('POST', WORKSPACES, { json })).json
  const permission = { params: { username: 'members', permission: 'ReadWrite' }, input: file.uid }
  expect((await call('POST', `${AUTOMATION}/Document.AddPermission`, { json: permission })).status).toBe(200)
})

// Again and again: a connection that is silent is replaced.
beforeEach(() => gate.stallListening())

describe('what another process has just answered for decides the next request', () => {
  const path = `${WORKSPACES}/file`

  test.each(['reading', 'writing', 'calling'])('%s: a password', async (kind) => {
    const asking = (how: Call) => {
      if (kind === 'reading') return ask('GET', '/api/v1/group/powerusers', how)
      if (kind === 'writing')
        return ask('PUT', path, { ...how, json: { 'entity-type': 'document', properties: {} } })
      return ask('POST', `${AUTOMATION}/Document.Fetch`, { ...how, json: { params: { value: file.uid } } })
    }
    const before = { user: 'ann' }
    expect((await asking(before)).status).toBe(200)
    await change('PUT', '/api/v1/user/ann', {
      'entity-type': 'user',
      id: 'ann',
      properties: { password: 'changed' },
    })
    expect((await asking(before)).status).toBe(401)
    expect((await asking(withPassword('changed'))).status).toBe(200)
    await change('PUT', '/api/v1/user/ann', {
      'entity-type': 'user',
      id: 'ann',
      properties: { password: 'pass' },
    })
    expect((await asking(before)).status).toBe(200)
  })

  test('a wrong password is checked once, also where something has changed', async () => {
    await here.database.sql`DELETE FROM login_tries`
    await addUser(here, 'bob')
    const Authorization = `Basic ${Buffer.from('bob:wrong').toString('base64')}`
    expect((await ask('GET', path, { headers: { Authorization } })).status).toBe(401)
    const tried = await here.database.sql`SELECT tries FROM login_tries`
    // One of the account, one of the account from this address.
    expect([...tried]).toEqual([{ tries: 1 }, { tries: 1 }])
  })

  test('membership, both ways', async () => {
    const isAdministrator = async () =>
      (await ask('POST', `${AUTOMATION}/login`, { user: 'ann', json: {} })).json.isAdministrator
    expect(await isAdministrator()).toBe(false)
    await change('POST', '/api/v1/user/ann/group/administrators')
    expect(await isAdministrator()).toBe(true)
    expect((await ask('GET', '/api/v1/contributions/types', { user: 'ann' })).status).toBe(200)
    await change('DELETE', '/api/v1/user/ann/group/administrators')
    expect((await ask('GET', '/api/v1/contributions/types', { user: 'ann' })).status).toBe(403)
  })

  test('a policy that denies', async () => {
    const statuses = async () => [
      (await ask('GET', path, { user: 'ann' })).status,
      (
        await ask('POST', `${AUTOMATION}/Document.Fetch`, {
          user: 'ann',
          json: { params: { value: file.uid } },
        })
      ).status,
    ]
    expect(await statuses()).toEqual([200, 200])
    await deploy('securityPolicies', 'closed', `permissions: [Browse]\nquery: "ecm:name <> 'file'"\n`)
    expect(await statuses()).toEqual([404, 404])
    await change('DELETE', '/api/v1/contributions/securityPolicies/closed')
    expect(await statuses()).toEqual([200, 200])
  })

  test('a type', async () => {
    const json = { 'entity-type': 'document', type: 'Fresh', name: 'fresh' }
    expect((await ask('POST', WORKSPACES, { json })).status).toBe(400)
    await deploy('types', 'Fresh', 'extends: File\n')
    expect((await ask('POST', WORKSPACES, { json })).status).toBe(201)
  })

  test('a script, and an inline chain', async () => {
    const asked = async (id: string) => {
      const { status, json } = await ask('POST', `${AUTOMATION}/${id}`, { json: {} })
      return status === 200 ? json.value : status
    }
    const script = (value: string) => `script: "function run() { return '${value}' }"\n`
    const chain = (value: string) => `execution: inline\noperations:\n- Test.Current: {}\n# ${value}\n`
    await deploy('scripts', 'Test.Current', script('one'))
    expect(await asked('Test.Current')).toBe('one')
    await deploy('chains', 'current', chain('one'))
    expect(await asked('current')).toBe('one')
    for (const value of ['two', 'three']) {
      await deploy('scripts', 'Test.Current', script(value))
      expect(await asked('Test.Current')).toBe(value)
      await deploy('scripts', 'Test.Current', script(`${value} again`))
      expect(await asked('current')).toBe(`${value} again`)
    }
    await change('DELETE', '/api/v1/contributions/chains/current')
    expect(await asked('current')).toBe(404)
    await change('DELETE', '/api/v1/contributions/scripts/Test.Current')
    expect(await asked('Test.Current')).toBe(404)
  })

  test('a page provider, and its removal', async () => {
    const found = async () => (await ask('GET', '/api/v1/search/pp/current/execute')).status
    expect(await found()).toBe(404)
    await deploy('pageProviders', 'current', 'pattern: SELECT * FROM File\n')
    expect(await found()).toBe(200)
    await change('DELETE', '/api/v1/contributions/pageProviders/current')
    expect(await found()).toBe(404)
  })

  test('an entry of a directory that remembers its entries', async () => {
    expect(other.readSession(SYSTEM).directories.registry.get('nature')?.cache.seconds).toBeGreaterThan(60)
    const memo = '/api/v1/directory/nature/memo'
    const shown = async () => (await ask('GET', memo)).json.properties?.label
    const { json: before } = await ask('GET', memo)
    for (const label of ['One', 'Two', before.properties.label]) {
      await change('PUT', memo, { ...before, properties: { ...before.properties, label } })
      expect(await shown()).toBe(label)
      // Remembered by now.
      expect(await shown()).toBe(label)
    }
  })

  test('users that workflows act for', async () => {
    expect((await other.authenticator.principal('ann'))?.isAdministrator).toBe(false)
    await change('POST', '/api/v1/user/ann/group/administrators')
    expect((await other.authenticator.principal('ann'))?.isAdministrator).toBe(true)
    await change('DELETE', '/api/v1/user/ann/group/administrators')
  })
})

test('what nobody asks about is looked at from time to time', async () => {
  await deploy('facets', 'Unasked', '')
  await expect.poll(() => other.snapshot().model.facets.has('Unasked')).toBe(true)
})

test('the look at what is current is planned once for a connection', async () => {
  for (let count = 0; count < 4; count++) await call('GET', WORKSPACES)
  const { keyed } = here.database
  const counts = Array.from({ length: 8 }, async () => {
    const [row] = await keyed<{ count: number }[]>`
      SELECT count(*)::int AS count FROM pg_prepared_statements
      WHERE statement LIKE '%AS "contributions",%' AND statement NOT LIKE '%pg_prepared_statements%'`
    return row!.count
  })
  expect(Math.max(...(await Promise.all(counts)))).toBe(1)
})
