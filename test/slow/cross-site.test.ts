import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Hono } from 'hono'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { createApp } from '../../api/app.js'
import type { Environment } from '../../api/edge/index.js'
import { createEngine, type Engine } from '../../api/engine.js'
import { type ApiServer, startServer } from '../../api/server.js'
import { addUser, type Client, createClient } from '../integration/support/rest-client.js'
import { ADMIN_PASSWORD, createTestPlatform } from '../integration/support/rest-support.js'
import { uniqueName } from '../support/template.js'
import { launchBrowser } from './browser.js'

/** What pages of other sites reach in the browser of an administrator who is logged in. */

const platform = await createTestPlatform({
  TEMPORAL_ADDRESS: inject('temporalAddress'),
  ARCHIVOLT_TASK_QUEUE: uniqueName('queue'),
})

type Seen = { method: string; path: string; hasPassword: boolean; site: string | null }

let engine: Engine
let call: Client
let server: ApiServer
let browser: Browser
let context: BrowserContext
let page: Page
/** Another site (another host), and another origin of the same site (another port). */
let sites: Record<'cross-site' | 'same-site', string>
let pages: Server
let product: string
/** What has reached the server. */
let seen: Seen[] = []

const API = '/api/v1'
const TO_ADMINISTRATORS = `${API}/user/mallory/group/administrators`
const OPERATION = `${API}/automation/User.CreateOrUpdate`
const JSON_DATA = JSON.stringify({ params: { username: 'mallory', groups: 'administrators' } })

const watched = (app: Hono<Environment>): Hono<Environment> =>
  new Hono<Environment>().all('*', (c) => {
    seen.push({
      method: c.req.method,
      path: new URL(c.req.url).pathname,
      hasPassword: c.req.header('Authorization')?.startsWith('Basic ') ?? false,
      site: c.req.header('Sec-Fetch-Site') ?? null,
    })
    return app.fetch(c.req.raw, c.env)
  })

beforeAll(async () => {
  engine = await createEngine(platform)
  call = createClient(platform, engine)
  await addUser(platform, 'mallory')
  server = await startServer(watched(createApp(platform, engine)), { host: '127.0.0.1', port: 0 })
  product = `http://127.0.0.1:${server.port}`
  pages = createServer((_, response) => {
    response.setHeader('Content-Type', 'text/html')
    response.end('<!doctype html><title>Elsewhere</title>')
  })
  await new Promise<void>((resolve) => pages.listen(0, '127.0.0.1', resolve))
  const { port } = pages.address() as AddressInfo
  sites = { 'cross-site': `http://localhost:${port}`, 'same-site': `http://127.0.0.1:${port}` }
  browser = await launchBrowser()
  const httpCredentials = { username: 'Administrator', password: ADMIN_PASSWORD }
  context = await browser.newContext({ httpCredentials })
})
afterAll(async () => {
  await browser?.close()
  await new Promise((resolve) => pages.close(resolve))
  await server?.stop(1_000)
  await engine?.close()
})

/** The browser knows the password once pages of the product were opened, and sends it to all addresses beside them. */
beforeEach(async () => {
  page = await context.newPage()
  for (const path of ['/api/v1/automation', '/nuxeo/site/automation/doc'])
    expect((await page.goto(product + path))?.status()).toBe(200)
  seen = []
})

const isAdministrator = async (): Promise<boolean> =>
  (await call('GET', `${API}/user/mallory`)).json.extendedGroups.some(
    ({ name }: { name: string }) => name === 'administrators',
  )

/** A form that is submitted without a click, in the place of the page: the browser then sends what it logs in with. */
const form = (enctype: string, data: string) => (url: string) =>
  `
  const form = Object.assign(document.createElement('form'), { method: 'POST' })
  Object.assign(form, { action: '${url}', enctype: '${enctype}' })
  const data = '${data}'
  if (data) form.append(Object.assign(document.createElement('textarea'), { name: 'jsondata', value: data }))
  document.body.append(form)
  form.submit()`

const fetched = (url: string): string =>
  `void fetch('${url}', { method: 'POST', mode: 'no-cors', credentials: 'include', body: new Blob(['${JSON_DATA}']) })`

/** Calls of scripts carry the password only within a site: the browser keeps it for each. */
const isSentWith = (name: string, site: string): boolean => name.includes('form') || site === 'same-site'

/** What a page of somebody else runs, by the address that it is aimed at. */
const attacks: [string, string, (url: string) => string][] = [
  ['a form without fields', TO_ADMINISTRATORS, form('application/x-www-form-urlencoded', '')],
  ['a form', OPERATION, form('application/x-www-form-urlencoded', JSON_DATA)],
  ['a multipart form', OPERATION, form('multipart/form-data', JSON_DATA)],
  ['a script, without a type', OPERATION, fetched],
  ['a beacon', TO_ADMINISTRATORS, (url) => `navigator.sendBeacon('${url}')`],
]

describe.each(['cross-site', 'same-site'] as const)('a page of another origin, %s', (site) => {
  test.each(attacks)('makes nobody an administrator by %s', async (name, path, attack) => {
    await page.goto(sites[site])
    const answered = page.waitForResponse((response) => response.url().endsWith(path))
    await page.evaluate(attack(product + path))
    expect((await answered).status()).toBe(403)
    expect(seen).toContainEqual({ method: 'POST', path, hasPassword: isSentWith(name, site), site })
    expect(await isAdministrator()).toBe(false)
  })
})

/** What a script of the page that is open receives for a query. */
const query = (): Promise<unknown> =>
  page.evaluate(`(async () => {
    const response = await fetch('${product}/api/v1/automation/Repository.Query', {
      method: 'POST',
      credentials: 'include',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ params: { query: 'SELECT * FROM Domain' } }),
    })
    const { entries } = await response.json()
    return { status: response.status, entries: entries?.length, id: response.headers.get('X-Request-Id') }
  })()`)

test('a page of the product may do what its user may', async () => {
  expect(await query()).toMatchObject({ status: 200, entries: 1 })
  expect(seen.at(-1)?.site).toBe('same-origin')
})

test('a page of an allowed origin may, as long as the deployment allows it', async () => {
  await page.goto(sites['same-site'])
  await expect(query()).rejects.toThrow('Failed to fetch')
  const json = {
    pattern: '/api/v1/automation/.*',
    allowOrigin: sites['same-site'],
    supportedHeaders: 'Content-Type',
    exposedHeaders: 'X-Request-Id',
  }
  expect((await call('PUT', `${API}/contributions/corsConfig/partner`, { json })).status).toBe(201)
  expect(await query()).toEqual({ status: 200, entries: 1, id: expect.any(String) })
  await page.goto(sites['cross-site'])
  await expect(query()).rejects.toThrow('Failed to fetch')
  await call('DELETE', `${API}/contributions/corsConfig/partner`)
  await page.goto(sites['same-site'])
  await expect(query()).rejects.toThrow('Failed to fetch')
})
