import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Product, startProduct } from '../demo/start-product.js'
import { launchBrowser } from './browser.js'

/** The documentation of operations as its readers use it, in a real browser. */

const START_MS = 300_000
const SEEN_MS = 120_000

let product: Product
let browser: Browser
let page: Page
/** What the browser refused to load or run, and errors of scripts. */
const complaints: string[] = []

const contextWith = async (more: Parameters<Browser['newContext']>[0] = {}): Promise<BrowserContext> => {
  const httpCredentials = { username: product.user, password: product.password }
  const context = await browser.newContext({ httpCredentials, ...more })
  context.setDefaultTimeout(SEEN_MS)
  return context
}

const deploy = async (id: string, yaml: string): Promise<void> => {
  const headers = { 'content-type': 'application/yaml' }
  const response = await product.call(`contributions/chains/${id}`, { method: 'PUT', headers, body: yaml })
  expect(response.status).toBe(201)
}

beforeAll(async () => {
  const started = await Promise.all([startProduct(), launchBrowser()])
  product = started[0]
  browser = started[1]
  await deploy('count-files', '- Repository.Query:\n    query: SELECT * FROM File\n')
  page = await (await contextWith()).newPage()
  page.on('console', (message) => {
    if (message.type() === 'error' && !/status of 4\d\d/.test(message.text())) complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(String(error)))
}, START_MS)
afterAll(async () => {
  await browser?.close()
  await product?.stop()
})

const doc = (query = ''): string => `${product.url}/nuxeo/site/automation/doc${query}`

const answer = () => page.getByRole('region', { name: 'Answer' })

const answered = (status: number): Promise<void> =>
  answer()
    .getByRole('heading', { name: new RegExp(`^${status} `) })
    .waitFor()

/** Looks an operation up as a reader does: by words, then by its link. */
const open = async (words: string, label: string, id: string): Promise<void> => {
  await page.goto(doc())
  await page.getByRole('searchbox').fill(words)
  await page.getByRole('link', { name: label, exact: true }).filter({ visible: true }).first().click()
  await page.waitForURL((url) => url.searchParams.get('id') === id)
}

describe('the documentation of operations', () => {
  test('filters its index while one types', async () => {
    await page.goto(doc())
    const all = await page.locator('.entries li:visible').count()
    expect(all).toBeGreaterThan(100)
    await page.getByRole('searchbox').fill('collection remove')
    const few = page.locator('.entries li:visible')
    await expect.poll(() => few.count()).toBeLessThan(10)
    expect(await few.allTextContents()).toContainEqual(
      expect.stringContaining('Collection.RemoveFromCollection'),
    )
    expect(await page.getByRole('status').textContent()).toBe(`${await few.count()} of ${all} shown`)
  })

  test('finds by the key / what is misspelt or abbreviated', async () => {
    await page.goto(doc())
    const shown = page.locator('.entries li:visible code')
    for (const words of ['docsetprop', 'Documnt.SetProprety']) {
      await page.getByRole('main').click({ position: { x: 1, y: 1 } })
      await page.keyboard.press('/')
      await page.keyboard.type(words)
      await expect.poll(() => shown.allTextContents()).toContain('Document.SetProperty')
    }
    expect(await page.getByRole('status').textContent()).toContain('but words like them')
  })

  test('has a control for the type of each parameter, and says what it is', async () => {
    await page.goto(doc('?id=Document.AddPermission'))
    const begin = page.getByLabel('begin', { exact: true })
    expect(await begin.getAttribute('type')).toBe('datetime-local')
    expect(await page.locator('select[data-type=boolean]').count()).toBeGreaterThan(0)
    expect(await begin.locator('xpath=..').textContent()).toContain('When the permission begins')
    await page.goto(doc('?id=Log'))
    const level = page.getByLabel('level *', { exact: true })
    const list = await level.getAttribute('list')
    expect(await page.locator(`#${list} option`).count()).toBeGreaterThan(1)
  })

  test('runs an operation from its form and shows the entity', async () => {
    await open('create document type', 'Create', 'Document.Create')
    await page.getByLabel('Input', { exact: true }).fill('/default-domain/workspaces')
    await page.getByLabel('type *').fill('File')
    await page.getByLabel('name').fill('tried')
    await page.getByLabel('properties').fill('dc:title=Tried')
    await page.getByRole('button', { name: 'Run', exact: true }).click()
    await answered(200)
    expect(await answer().textContent()).toContain('"path": "/default-domain/workspaces/tried"')
    const response = await product.call('path/default-domain/workspaces/tried', {
      headers: { properties: '*' },
    })
    const { properties } = (await response.json()) as { properties: { 'dc:title': string } }
    expect(properties['dc:title']).toBe('Tried')
  })

  test('shows what would be done, and does not do it', async () => {
    await page.goto(doc('?id=Document.Create'))
    await page.getByLabel('Input', { exact: true }).fill('/default-domain/workspaces')
    await page.getByLabel('type *').fill('File')
    await page.getByLabel('name').fill('dry')
    await page.getByRole('button', { name: 'Dry run' }).click()
    await answered(200)
    expect(await answer().textContent()).toContain('"path": "/default-domain/workspaces/dry"')
    expect((await product.call('path/default-domain/workspaces/dry')).status).toBe(404)
  })

  test('shows that a dry run would fail', async () => {
    await page.goto(doc('?id=Document.Create'))
    await page.getByLabel('Input', { exact: true }).fill('/no/such')
    await page.getByLabel('type *').fill('File')
    await page.getByRole('button', { name: 'Dry run' }).click()
    await answered(404)
    expect(await answer().getAttribute('class')).toBe('bad')
    expect(await answer().textContent()).toContain('Dry run: the call would fail.')
  })

  test('shows what is wrong with a call', async () => {
    await page.goto(doc('?id=Document.Create'))
    await page.getByLabel('Input', { exact: true }).fill('/no/such')
    await page.getByLabel('type *').fill('File')
    await page.getByRole('button', { name: 'Run', exact: true }).click()
    await answered(404)
    expect(await answer().locator('.refusal').textContent()).toContain('/no/such')
  })

  test('reports items that a loop has skipped', async () => {
    await deploy('fail-each', '- Document.FollowLifecycleTransition:\n    value: nonsense\n')
    await deploy(
      'fail-some',
      '- Repository.Query:\n    query: SELECT * FROM WorkspaceRoot\n- Context.SetInputAsVar:\n    name: found\n' +
        '- RunOperationOnList:\n    id: fail-each\n    list: found\n    newTx: true\n    rollbackGlobalOnError: false\n',
    )
    await page.goto(doc('?id=fail-some'))
    await page.getByRole('button', { name: 'Run', exact: true }).click()
    await answered(200)
    await answer()
      .getByText(/1 of 1 items failed/)
      .waitFor()
    expect(await answer().getAttribute('class')).toBe('bad')
    expect(await answer().locator('.refusal').allTextContents()).toContainEqual(
      expect.stringMatching(/^item 0 \/default-domain\/workspaces: .*nonsense/),
    )
  })

  test('says that an operation is not available', async () => {
    const ann = await product.call('user', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        'entity-type': 'user',
        properties: { username: 'ann', password: 'Secret-1234' },
      }),
    })
    expect(ann.status).toBe(201)
    const context = await contextWith({ httpCredentials: { username: 'ann', password: 'Secret-1234' } })
    const own = await context.newPage()
    await own.goto(doc('?id=Document.Create'))
    // The form of what she may not call is not shown to her: its address stands in for it.
    await own.evaluate("document.getElementById('try').dataset.url = './Blob.CreateFromURL'")
    await own.getByLabel('Input', { exact: true }).fill('/')
    await own.getByLabel('type *').fill('File')
    await own.getByRole('button', { name: 'Run', exact: true }).click()
    await own.locator('#answer .refusal').waitFor()
    expect(await own.locator('#answer .refusal').textContent()).toBe('It is not available to you.')
    await context.close()
  })

  test('is sent a file, and offers one', async () => {
    await page.goto(doc('?id=Blob.CreateZip'))
    await page.getByLabel('Files').setInputFiles({
      name: 'a.txt',
      mimeType: 'text/plain',
      buffer: Buffer.from('some text'),
    })
    await page.getByLabel('filename').fill('all.zip')
    await page.getByRole('button', { name: 'Run', exact: true }).click()
    const download = page.waitForEvent('download')
    await answer()
      .getByRole('link', { name: /Save the response: application\/zip/ })
      .click()
    expect((await download).suggestedFilename()).toBe('all.zip')
  })

  test('shows the plan and YAML of a chain, runs it and leads to its run', async () => {
    await open('count-files', 'count-files', 'count-files')
    expect(await page.getByRole('main').textContent()).toContain('query: SELECT * FROM File')
    await page.getByRole('button', { name: 'Run', exact: true }).click()
    await answered(200)
    await answer()
      .getByRole('link', { name: /^count-files-/ })
      .click()
    await page.waitForURL(/\/automation\/runs\//)
    // Its caller is answered before the run is written down as ended.
    const shown = async (): Promise<string | null> => {
      await page.reload()
      return page.locator('body').textContent()
    }
    await expect.poll(shown).toContain('"COMPLETED"')
  })

  test('leads to the last runs in the Temporal UI', async () => {
    await page.goto(doc('?id=count-files'))
    const address = await page.getByRole('link', { name: /Last runs/ }).getAttribute('href')
    expect(address).toContain(`${product.temporalUi}/namespaces/default/workflows?query=ChainId`)
    const other = await browser.newPage()
    await other.goto(address ?? '')
    await other
      .getByRole('link', { name: /^count-files-/ })
      .first()
      .waitFor({ timeout: SEEN_MS })
    await other.close()
  })

  test('is reached from the first page, beside the API reference', async () => {
    await page.goto(`${product.url}/`)
    await page.getByRole('link', { name: 'API reference' }).click()
    await page.getByRole('searchbox').fill('capabilities')
    await page.getByRole('link', { name: 'GET /capabilities' }).click()
    await page.getByRole('link', { name: 'capabilities', exact: true }).click()
    await page.getByText('distributionName').waitFor()
    await page.goBack()
    await page.getByRole('link', { name: /^Archivolt/ }).click()
    await page.getByRole('link', { name: 'Operations and chains' }).click()
    await page.getByRole('heading', { name: 'Operations and chains' }).waitFor()
  })

  test('is used by the keyboard alone', async () => {
    await page.goto(doc('?id=Context.SetVar'))
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    expect(await page.evaluate('document.activeElement.id')).toBe('content')
    for (let presses = 0; presses < 30; presses++) {
      await page.keyboard.press('Tab')
      if ((await page.evaluate('document.activeElement.id')) === 'input') break
    }
    await page.keyboard.type('/')
    for (const text of ['who', 'ann']) {
      await page.keyboard.press('Tab')
      await page.keyboard.type(text)
    }
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await answered(200)
    expect(await page.evaluate('document.activeElement.id')).toBe('answer')
  })

  test.each(['light', 'dark'] as const)('can be read in %s colours', async (colorScheme) => {
    await page.emulateMedia({ colorScheme })
    await page.goto(doc())
    const [text, ground] = (await page.evaluate(
      '[getComputedStyle(document.body).color, getComputedStyle(document.body).backgroundColor]',
    )) as [string, string]
    const lightness = (colour: string): number => Number(/\d+/.exec(colour)?.[0])
    expect(lightness(text) < lightness(ground)).toBe(colorScheme === 'light')
    await page.emulateMedia({ colorScheme: null })
  })

  test('is read and searched without a script', async () => {
    const context = await contextWith({ javaScriptEnabled: false })
    const plain = await context.newPage()
    await plain.goto(doc())
    await plain.getByRole('searchbox').fill('lock')
    await plain.getByRole('button', { name: 'Search' }).click()
    await plain.waitForURL(/q=lock/)
    await plain.getByRole('link', { name: 'Lock', exact: true }).click()
    await plain.waitForURL(/id=Document\.Lock/)
    expect(await plain.getByText('needs JavaScript').count()).toBe(1)
    expect(await plain.getByRole('button', { name: 'Run', exact: true }).count()).toBe(0)
    await context.close()
  })

  test('gave the browser nothing to complain about', () => {
    expect(complaints).toEqual([])
  })
})
