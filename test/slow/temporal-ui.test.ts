import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Product, startProduct } from '../demo/start-product.js'
import { launchBrowser } from './browser.js'

/** What an operator sees of a run in the Temporal UI, in a real browser. */

const START_MS = 300_000
/** The UI looks a run up again and again, and the machine may be busy. */
const SEEN_MS = 120_000
const RELOAD_MS = 20_000

const FOLDER = '/default-domain/workspaces/seen'
const CHAINS = ['approve-one', 'approve-all']

let product: Product
let browser: Browser
let page: Page
let runId: string

const send = async (path: string, body: unknown): Promise<Response> => {
  const response = await product.call(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
  return response
}

const create = (parent: string, type: string, name: string): Promise<Response> =>
  send(`path${parent}`, { 'entity-type': 'document', type, name, properties: { 'dc:title': name } })

const deploy = async (id: string, yaml: string): Promise<void> => {
  const headers = { 'content-type': 'application/yaml' }
  const response = await product.call(`contributions/chains/${id}`, { method: 'PUT', headers, body: yaml })
  expect(response.status).toBe(201)
}

const runChain = async (id: string, params: Record<string, string>): Promise<string> => {
  const response = await send(`automation/${id}`, { params })
  return response.headers.get('Archivolt-Workflow-Id') ?? ''
}

/** Two files, of which the second is approved already, so that the loop passes over it. */
const runLoop = async (): Promise<string> => {
  await create('/default-domain/workspaces', 'Folder', 'seen')
  for (const name of ['a-file', 'b-file']) await create(FOLDER, 'File', name)
  const input = `doc:${FOLDER}/b-file`
  await send('automation/Document.FollowLifecycleTransition', { input, params: { value: 'approve' } })
  for (const id of CHAINS)
    await deploy(id, readFileSync(join(import.meta.dirname, `../demo/${id}.yaml`), 'utf8'))
  return runChain('approve-all', { folder: FOLDER, reviewer: 'Ann Archer' })
}

beforeAll(async () => {
  const started = await Promise.all([startProduct(), launchBrowser()])
  product = started[0]
  browser = started[1]
  runId = await runLoop()
  page = await browser.newPage()
  page.setDefaultTimeout(SEEN_MS)
}, START_MS)
afterAll(async () => {
  await browser?.close()
  await product?.stop()
})

const workflows = (query = ''): string => `${product.temporalUi}/namespaces/default/workflows${query}`

/** Opens a run as an operator does: found in the list by its chain. */
const openRun = async (chainId: string, id: string): Promise<string> => {
  await page.goto(workflows(`?query=${encodeURIComponent(`ChainId="${chainId}"`)}`))
  await page.getByRole('link', { name: id }).first().click()
  await page.waitForURL(/\/history/)
  return page.url().replace(/\/history.*/, '')
}

const see = (text: string): Promise<void> => page.getByText(text).filter({ visible: true }).first().waitFor()

/** The UI shows what is written in Markdown in frames of their own, one for the summary, one for the steps. */
const seeMarkdown = async (...texts: string[]): Promise<void> => {
  let loadedAt = Date.now()
  const read = async (): Promise<string> => {
    // What the UI could not find out in its own time it asks for no more.
    if (Date.now() - loadedAt > RELOAD_MS) {
      await page.reload()
      loadedAt = Date.now()
    }
    const bodies = page.frames().map((frame) => frame.locator('body').textContent())
    return (await Promise.all(bodies)).join('\n')
  }
  for (const text of texts) await expect.poll(read, { timeout: SEEN_MS, interval: 200 }).toContain(text)
}

describe('a run of a chain with a loop', () => {
  let address: string

  test('is found by the id of its chain, which begins its own', async () => {
    expect(runId).toMatch(/^approve-all-/)
    address = await openRun('approve-all', runId)
    await see('Completed')
  })

  test('shows its input: who called, and with which parameters', async () => {
    await see('"reviewer": "Ann Archer"')
    await see(`"folder": "${FOLDER}"`)
    await see('"principal": "Administrator"')
  })

  test('shows each step', async () => {
    await page.goto(`${address}/user-metadata`)
    await seeMarkdown(
      'Approves every document below a folder, each in a transaction of its own',
      '[x] segment: Repository.Query, Context.SetInputAsVar',
      '[x] loop: RunOperationOnList approve-one: 2 of 2 items, 1 failed',
      `item 1 ${FOLDER}/b-file: Failed to invoke operation: Document.FollowLifecycleTransition`,
      '[x] segment: Repository.Query',
    )
  })

  test('names the steps of its activities', async () => {
    await page.goto(`${address}/history`)
    await see('RunOperationOnList approve-one')
    await see('Repository.Query, Context.SetInputAsVar')
  })

  test('is reached by the address that the API returns', async () => {
    const response = await product.call(`automation/runs/${runId}`)
    const { workflowUrl } = (await response.json()) as { workflowUrl: string }
    await page.goto(workflowUrl)
    await see(runId)
    await see('Completed')
  })

  test('is searchable by chain and user', async () => {
    await page.goto(`${address}/search-attributes`)
    await see('"ChainId": "approve-all"')
    await see('"Principal": "Administrator"')
    await see('"FailedItems": 1')
  })
})

test('a chain of one transaction shows its steps as well', async () => {
  await deploy(
    'count',
    '- Repository.Query:\n    query: SELECT * FROM File\n- Context.SetInputAsVar:\n    name: files\n',
  )
  const address = await openRun('count', await runChain('count', {}))
  await page.goto(`${address}/user-metadata`)
  await seeMarkdown('[x] segment: Repository.Query, Context.SetInputAsVar')
})
