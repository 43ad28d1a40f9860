import { execFile } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { missingLines, readCommands, runCommands } from '../demo/page-commands.js'
import { type Product, startProduct } from '../demo/start-product.js'
import { soon } from '../support/soon.js'

/** The commands of the README and of the tutorial, run as written, on the product as `npm start` starts it. */

const FILES = join(import.meta.dirname, '../../demo-files')
const FOLDER = 'path/default-domain/workspaces/town-hall'
const START_MS = 300_000
const PAGES = ['README.md', 'docs/tutorial.md']

const run = promisify(execFile)
const commands = await readCommands(PAGES)
let product: Product
let outputs: string[]

beforeAll(async () => {
  rmSync(FILES, { recursive: true, force: true })
  product = await startProduct()
  outputs = await runCommands(commands, {
    ARCHIVOLT_URL: product.url,
    ARCHIVOLT_USER: product.user,
    ARCHIVOLT_PASSWORD: product.password,
  })
}, START_MS)
afterAll(async () => {
  await product?.stop()
  rmSync(FILES, { recursive: true, force: true })
})

/** What the entities of the answers hold, as far as it is looked at here; a test fails on what is missing. */
type Entity = {
  uid: string
  state: string
  properties: Record<string, unknown>
  entries: unknown[]
  nodes: unknown[]
  conversionId: string
  pollingURL: string
}

const json = async (path: string, init?: RequestInit): Promise<{ status: number; body: Entity }> => {
  const response = await product.call(path, init)
  return { status: response.status, body: (await response.json()) as Entity }
}

const versionsOf = async (uid: string): Promise<unknown[]> => {
  const nxql = `SELECT * FROM Document WHERE ecm:versionVersionableId = '${uid}'`
  return (await json(`search/lang/NXQL/execute?query=${encodeURIComponent(nxql)}`)).body.entries
}

const localFile = (name: string): Buffer => readFileSync(join(FILES, name))

test('the pages have commands to run, and show what they print', () => {
  expect(commands.map(({ heading }) => heading)).toEqual([
    'First calls',
    '1. Upload',
    '2. Deploy chains',
    '3. Run a loop in new transactions',
    '3. Run a loop in new transactions',
    '4. Convert',
  ])
  expect(commands.every(({ expected }) => expected.length > 0)).toBe(true)
})

test.each(commands.map((command, index) => [index + 1, command.heading, command] as const))(
  'block %i (%s) prints what the page shows',
  (number, _heading, { expected }) => {
    const output = outputs[number - 1] ?? ''
    expect(missingLines(expected, output), output).toEqual([])
  },
)

describe('uploads', () => {
  test.each([
    ['contract.docx', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
    ['minutes.odt', 'application/vnd.oasis.opendocument.text'],
    ['prices.xlsx', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
    ['before.jpg', 'image/jpeg'],
    ['after.jpg', 'image/jpeg'],
    ['walk.mp4', 'video/mp4'],
  ])('%s comes back byte for byte as %s', async (name, type) => {
    const response = await product.call(`${FOLDER}/${name}/@blob/file:content`)
    expect(response.headers.get('content-type')).toBe(type)
    expect(Buffer.from(await response.arrayBuffer()).equals(localFile(name))).toBe(true)
  })

  test('a photo keeps its EXIF', async () => {
    const response = await product.call(`${FOLDER}/before.jpg/@blob/file:content`)
    const { exif } = await sharp(Buffer.from(await response.arrayBuffer())).metadata()
    expect(exif?.toString('latin1')).toContain('2026:05:11 09:30:00')
  })
})

describe('the loop in new transactions', () => {
  test.each(['contract.docx', 'minutes.odt', 'before.jpg', 'after.jpg', 'walk.mp4'])(
    '%s was updated, versioned and approved once',
    async (name) => {
      const { body } = await json(`${FOLDER}/${name}`, { headers: { properties: '*' } })
      expect(body.state).toBe('approved')
      expect(body.properties).toMatchObject({
        'dc:source': 'reviewed by Ann',
        'uid:major_version': 1,
        'uid:minor_version': 0,
      })
      expect(await versionsOf(body.uid)).toHaveLength(1)
    },
  )

  test('the item that failed left no trace', async () => {
    const { body } = await json(`${FOLDER}/prices.xlsx`, { headers: { properties: '*' } })
    expect(body.properties).toMatchObject({ 'dc:source': null })
    expect(await versionsOf(body.uid)).toEqual([])
  })

  test('the run reports how far the loop came and which item failed', async () => {
    const id = /Run (approve-all-\S+)/.exec(outputs.join(''))?.[1]
    const { body } = await soon(async () => {
      const answer = await json(`automation/runs/${id}`)
      expect(answer.body.nodes).toBeDefined()
      return answer
    })
    expect(body).toMatchObject({ chainId: 'approve-all', principal: 'Administrator', status: 'COMPLETED' })
    expect(body.nodes[1]).toMatchObject({
      kind: 'loop',
      status: 'done',
      loop: { position: 6, total: 6, failures: [{ position: 4, status: 400 }] },
    })
  })
})

test('the chain as it was deployed over HTTP is served again', async () => {
  const response = await product.call('contributions/chains/contract-as-pdf', {
    headers: { accept: 'application/yaml' },
  })
  expect(response.headers.get('etag')).toBe('"1"')
  expect(await response.text()).toContain('Blob.ToPDF')
})

describe('conversions', () => {
  test('the contract became a PDF with its text', async () => {
    const { stdout } = await run('pdftotext', [join(FILES, 'contract.pdf'), '-'])
    expect(stdout).toContain('Bright Windows Ltd')
  })

  test('the video became a WebM of the same length', async () => {
    const { stdout } = await run('ffprobe', [
      ...['-v', 'error', '-show_entries', 'format=format_name,duration', '-of', 'json'],
      join(FILES, 'walk.webm'),
    ])
    const { format } = JSON.parse(stdout)
    expect(format.format_name).toContain('webm')
    expect(Number(format.duration)).toBeCloseTo(5, 0)
  })

  test('a conversion is polled from scheduled to its result', async () => {
    const scheduled = await json(`${FOLDER}/minutes.odt/@convert?format=pdf&async=true`, { method: 'POST' })
    expect(scheduled).toMatchObject({ status: 202, body: { 'entity-type': 'conversionScheduled' } })
    const { conversionId, pollingURL } = scheduled.body
    expect(pollingURL).toBe(`${product.url}/api/v1/conversion/${conversionId}/poll`)
    const poll = () => product.call(`conversion/${conversionId}/poll`, { redirect: 'manual' })
    await expect.poll(async () => (await poll()).status, { timeout: 300_000, interval: 200 }).toBe(303)
    const result = (await poll()).headers.get('location')
    expect(result).toBe(`${product.url}/api/v1/conversion/${conversionId}/result`)
    const response = await product.call(`conversion/${conversionId}/result`)
    expect(response.headers.get('content-type')).toBe('application/pdf')
    expect(
      Buffer.from(await response.arrayBuffer())
        .subarray(0, 5)
        .toString(),
    ).toBe('%PDF-')
  })
})
