import { beforeAll, expect, test } from 'vitest'
import { createTestService } from '../../support/bad-input-support.js'
import { addUser } from '../../support/rest-client.js'

const { platform, call, deploy } = await createTestService()

const FILTERS = '/api/v1/contributions/operationFilters'
const AUTOMATION = '/api/v1/automation'

const filter = async (name: string, content: object): Promise<void> => {
  const { status, text } = await call('PUT', `${FILTERS}/${name}`, { json: content })
  if (status >= 300) throw new Error(`${name}: ${status} ${text}`)
}

const logged = { params: { message: 'called' } }
const callOf = (id: string, user: string, json: object = logged, headers = {}) =>
  call('POST', `${AUTOMATION}/${id}`, { user, json, headers })

beforeAll(async () => {
  await addUser(platform, 'ann', ['members', 'powerusers'])
  await addUser(platform, 'bob', ['members'])
  await deploy('closed', '- Log: {message: closed}\n')
  await deploy('around', '- Log: {message: by way of a chain}\n')
})

test.each([
  ['disabled', { disabled: true }, { Administrator: 404, ann: 404, bob: 404 }],
  ['for administrators', { administrator: true }, { Administrator: 204, ann: 404, bob: 404 }],
  ['for groups', { groups: ['powerusers', 'others'] }, { Administrator: 404, ann: 204, bob: 404 }],
  ['for both', { administrator: true, groups: ['powerusers'] }, { Administrator: 204, ann: 204, bob: 404 }],
  ['open', {}, { Administrator: 204, ann: 204, bob: 204 }],
])('an operation that is %s answers others 404 without a body', async (_, content, expected) => {
  await filter('Log', content)
  for (const [user, status] of Object.entries(expected)) {
    for (const name of ['Log', 'LogOperation']) {
      const answer = await callOf(name, user)
      expect([user, name, answer.status]).toEqual([user, name, status])
      expect(answer.text).toBe('')
    }
  }
})

test('a chain is bound under its prefixed id, by whatever name it is called', async () => {
  await filter('Chain.closed', { groups: ['powerusers'] })
  for (const name of ['closed', 'Chain.closed', 'closed/@async']) {
    const { status, text } = await callOf(name, 'bob', {})
    expect([status, text]).toEqual([404, ''])
    expect((await callOf(name, 'ann', {})).status).toBeLessThan(300)
  }
})

test('nobody comes to what is closed by way of an operation that calls others', async () => {
  await filter('Log', {})
  await filter('Chain.closed', { groups: ['powerusers'] })
  const ways = [
    ['RunOperation', { id: 'closed' }],
    ['RunOperation', { id: 'RunOperation', parameters: { id: 'closed' } }],
    ['RunInNewTransaction', { id: 'closed' }],
    ['Context.RunOperationOnListInNewTx', { id: 'closed', list: 'list' }],
  ] as const
  for (const [operation, params] of ways) {
    const json = { params, context: { list: ['a'] } }
    expect([operation, (await callOf(operation, 'bob', json)).status]).toEqual([operation, 404])
    expect([operation, (await callOf(operation, 'ann', json)).status]).toEqual([operation, 204])
  }
})

test('what a deployed chain calls is the chain’s business', async () => {
  await filter('Log', { administrator: true })
  expect((await callOf('Log', 'bob')).status).toBe(404)
  expect((await callOf('around', 'bob', {})).status).toBe(204)
})

test('what is bound to HTTPS is not there over HTTP', async () => {
  await filter('Log', { secure: true })
  expect((await callOf('Log', 'Administrator')).status).toBe(404)
  const answer = await call('POST', `https://localhost${AUTOMATION}/Log`, { json: logged })
  expect(answer.status).toBe(204)
})

test('an operation for administrators can be opened', async () => {
  const entries = { params: { directoryName: 'continent' } }
  expect((await callOf('Directory.Entries', 'bob', entries)).status).toBe(404)
  await filter('Directory.Entries', { groups: ['members'] })
  expect((await callOf('Directory.Entries', 'bob', entries)).status).toBe(200)
})

test('what is refused is listed all the same', async () => {
  await filter('Log', { disabled: true })
  const { json } = await call('GET', AUTOMATION, { user: 'bob' })
  expect(json.operations.map(({ id }: { id: string }) => id)).toContain('Log')
})

test.each([
  [{ groups: 'powerusers' }, /groups/],
  [{ admin: true }, /admin/],
])('a filter %o is refused', async (content, message) => {
  const { status, json } = await call('PUT', `${FILTERS}/Log`, { json: content })
  expect(status).toBe(422)
  expect(json.message).toMatch(message)
})
