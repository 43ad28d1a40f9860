import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { ADMIN_PASSWORD } from '../../../support/platform.js'
import { USER_PASSWORD } from '../../support/rest-client.js'
import { createWire, WORKSPACES } from '../../support/wire-support.js'

const { baseURL, client, newUser } = await createWire()
const nuxeo = client({ schemas: ['dublincore'] })

const request = async (
  user: string,
  path: string,
  { headers, ...options }: RequestInit & { headers?: { [name: string]: string } },
) => {
  const password = user === 'Administrator' ? ADMIN_PASSWORD : USER_PASSWORD
  const authorization = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
  const response = await fetch(`${baseURL}api/v1/${path}`, {
    ...options,
    headers: { authorization, 'content-type': 'application/json', properties: '*', ...headers },
  })
  return { status: response.status, text: await response.text() }
}

const asAnn = (operation: string, headers?: { [name: string]: string }) =>
  request('ann', `automation/${operation}`, {
    method: 'POST',
    body: '{"params":{}}',
    ...(headers && { headers }),
  })

const LOGIN = { 'Auth.LoginAs': {} }
const LOGOUT = { 'Auth.Logout': {} }
const LOOK = { 'Repository.GetDocument': { value: `${WORKSPACES}/hidden` } }
const QUERY = { 'Repository.Query': { query: "SELECT * FROM Folder WHERE ecm:name = 'hidden'" } }
const script = (text: string) => ({
  outputType: 'document',
  script: `function run(input, params) { Auth.LoginAs(null, {}); var d = Repository.GetDocument(null, { value: '${WORKSPACES}/hidden' }); ${text} return d; }`,
})

const CONTRIBUTIONS: { [path: string]: object } = {
  'chains/login-ends': { execution: 'inline', operations: [LOGIN, LOOK] },
  'chains/login-logout': { execution: 'inline', operations: [LOGIN, LOOK, LOGOUT] },
  'chains/login-goes-on': {
    execution: 'inline',
    operations: [LOGIN, LOOK, LOGOUT, { 'Context.SetVar': { name: 'a', value: 1 } }],
  },
  'chains/login-run': [LOGIN, LOOK, LOGOUT],
  'chains/login-list': { execution: 'inline', operations: [LOGIN, QUERY] },
  'scripts/Login.Script': script(''),
  'scripts/Login.ScriptLogout': script('Auth.Logout(null, {});'),
  'scripts/Login.Leaves': {
    outputType: 'document',
    script: `function run() { Auth.Logout(null, {}); return Repository.GetDocument(null, { value: '${WORKSPACES}/hidden' }); }`,
  },
  'scripts/Login.Who': {
    outputType: 'string',
    script:
      "function run() { var name = Session.getPrincipal().name; Auth.Logout(null, {}); return name + ' ' + Session.getPrincipal().name; }",
  },
  'scripts/Login.Fails': script('JSON.parse(d.title);'),
  'scripts/Login.FailsLater': script(
    "Auth.Logout(null, {}); Document.SetProperty(d, { xpath: 'dc:source', value: 'a' });",
  ),
  'chains/login-left': { execution: 'inline', operations: [LOGIN, 'Login.Leaves'] },
  'chains/login-who': { execution: 'inline', operations: [LOGIN, 'Login.Who'] },
  'scripts/Login.Given': {
    script:
      "function run(input) { Auth.LoginAs(null, {}); Document.Update(input, { properties: { 'dc:source': 'a' } }); }",
  },
}

let hidden: string
beforeAll(async () => {
  await newUser('ann')
  const made = await nuxeo.repository().create(WORKSPACES, {
    type: 'Folder',
    name: 'hidden',
    properties: { 'dc:title': 'Nobody sees it' },
  })
  hidden = made.uid
  const block = { permission: 'Everything', user: 'Everyone', grant: 'false' }
  await nuxeo.operation('Document.SetACE').input(hidden).params(block).execute()
  for (const [path, content] of Object.entries(CONTRIBUTIONS)) {
    const body = JSON.stringify(content)
    expect(await request('Administrator', `contributions/${path}`, { method: 'PUT', body })).toMatchObject({
      status: 201,
    })
  }
})

describe('a document that somebody else has read, whom a chain or a script has logged in', () => {
  test.each([
    'login-ends',
    'login-logout',
    'login-goes-on',
    'login-run',
    'Login.Script',
    'Login.ScriptLogout',
  ])('is no output of %s for who may not see it', async (operation) => {
    expect(await asAnn(operation)).toEqual({ status: 204, text: '' })
    const keyed = { 'Idempotency-Key': randomUUID() }
    for (const _ of ['first', 'again']) expect((await asAnn(operation, keyed)).status).toBe(204)
    const dry = await asAnn(`${operation}?dryRun=true`)
    expect(dry).toMatchObject({ status: 200, text: expect.not.stringContaining(hidden) })
    expect(dry.text).not.toContain('hidden')
    const seen = await request('Administrator', `automation/${operation}`, { method: 'POST', body: '{}' })
    expect(JSON.parse(seen.text)).toMatchObject({ uid: hidden, title: 'Nobody sees it' })
  })

  test('is in no list, and does not count', async () => {
    expect(JSON.parse((await asAnn('login-list')).text).entries).toEqual([])
    expect(JSON.parse((await asAnn('login-list?dryRun=true')).text).output).toMatchObject({ count: 0 })
  })

  test.each(['Login.Fails', 'Login.FailsLater'])('is not quoted where %s fails', async (operation) => {
    const failed = await asAnn(operation)
    expect(failed.status).toBeGreaterThanOrEqual(400)
    expect(failed.text).toContain(
      'The script acts for another user; the log of the server says why it failed',
    )
    expect(failed.text).not.toMatch(new RegExp(`Nobody|hidden|${hidden}`))
  })

  test('is not there for a script that has logged out the user of the chain which calls it', async () => {
    expect(await asAnn('login-left')).toMatchObject({
      status: 404,
      text: expect.not.stringContaining('Nobody'),
    })
    expect((await asAnn('login-who')).text).toContain('"system ann"')
  })

  test('is not for a caller to name as the input of a script', async () => {
    const body = JSON.stringify({ input: `doc:${hidden}` })
    const answer = await request('ann', 'automation/Login.Given', { method: 'POST', body })
    expect(answer.status).toBe(404)
    const { properties } = await nuxeo.repository().fetch(hidden)
    expect(properties['dc:source']).toBe(null)
  })
})
