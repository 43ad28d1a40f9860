/**
 * Takes the picture of the README: `npx tsx test/demo/take-picture.ts FILE.png` starts the product, runs the loop of
 * the tutorial on documents without files, and writes what the Temporal UI shows of the run. Needs Debian's
 * `chromium`.
 */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import sharp from 'sharp'
import { launchBrowser } from '../slow/browser.js'
import { type Product, startProduct } from './start-product.js'

const WORKSPACES = '/default-domain/workspaces'
const FOLDER = `${WORKSPACES}/town-hall`
const NAMES = ['contract.docx', 'minutes.odt', 'prices.xlsx', 'before.jpg', 'after.jpg', 'walk.mp4']
const APPROVED = `doc:${FOLDER}/prices.xlsx`

const VIEWPORT = { width: 1380, height: 860 }
/** Leaves out the navigation. */
const PART = { x: 72, y: 105, width: 1308, height: 745 }
const WAIT_MS = 120_000

type Sent = { type: string; body: string; method?: string }

const send = async (
  product: Product,
  path: string,
  { type, body, method = 'POST' }: Sent,
): Promise<Response> => {
  const response = await product.call(path, { method, headers: { 'content-type': type }, body })
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
  return response
}

const sendJson = (product: Product, path: string, body: object): Promise<Response> =>
  send(product, path, { type: 'application/json', body: JSON.stringify(body) })

const create = (product: Product, parent: string, type: string, name: string): Promise<Response> =>
  sendJson(product, `path${parent}`, {
    'entity-type': 'document',
    type,
    name,
    properties: { 'dc:title': name },
  })

/** @returns the address of the run in the Temporal UI. */
const runLoop = async (product: Product): Promise<string> => {
  await create(product, WORKSPACES, 'Folder', 'town-hall')
  for (const name of NAMES) await create(product, FOLDER, 'File', name)
  const approve = { input: APPROVED, params: { value: 'approve' } }
  await sendJson(product, 'automation/Document.FollowLifecycleTransition', approve)
  for (const id of ['approve-one', 'approve-all']) {
    const body = await readFile(join(import.meta.dirname, `${id}.yaml`), 'utf8')
    await send(product, `contributions/chains/${id}`, { type: 'application/yaml', body, method: 'PUT' })
  }
  const params = { folder: FOLDER, reviewer: 'Ann' }
  const response = await sendJson(product, 'automation/approve-all', { params })
  const report = await product.call(`automation/runs/${response.headers.get('Archivolt-Workflow-Id')}`)
  return ((await report.json()) as { workflowUrl: string }).workflowUrl
}

const pictureOf = async (browser: Browser, address: string): Promise<Buffer> => {
  const page = await browser.newPage({ viewport: VIEWPORT })
  page.setDefaultTimeout(WAIT_MS)
  await page.goto(address)
  await page.getByText('Completed').filter({ visible: true }).first().waitFor()
  await page.goto(`${page.url().replace(/\/history.*/, '')}/user-metadata`)
  await page.getByText('RunOperationOnList approve-one').filter({ visible: true }).first().waitFor()
  // The UI shows Markdown in frames of their own.
  const steps = () => page.frames().map((frame) => frame.getByText('Repository.Query').last().isVisible())
  while (!(await Promise.all(steps())).includes(true)) await page.waitForTimeout(200)
  // By itself a frame is a little lower than its text, and cuts the last line.
  await page.addStyleTag({ content: 'iframe { min-height: 11.5rem }' })
  return page.screenshot({ clip: PART })
}

const main = async (file: string | undefined): Promise<void> => {
  if (!file) throw new Error('The name of the picture is missing')
  const product = await startProduct()
  const browser = await launchBrowser()
  try {
    const picture = await pictureOf(browser, await runLoop(product))
    await sharp(picture).png({ palette: true, colours: 64, effort: 10 }).toFile(file)
  } finally {
    await browser.close()
    await product.stop()
  }
}

await main(process.argv[2])
