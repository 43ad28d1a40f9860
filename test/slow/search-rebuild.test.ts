import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { findMeans } from '../../stack/elasticsearch/index.js'
import { sized } from '../support/size.js'
import { createFaultBench } from './fault-bench.js'

const means = await findMeans(process.env)
if (typeof means === 'string' && process.env.CI) throw new Error(`Elasticsearch cannot be started: ${means}`)

/** More than a worker indexes along with other events. */
const DOCUMENTS = sized({ full: 5_000, sample: 600 })
const WRITERS = 4
const FIXED = ['a', 'b', 'c', 'd', 'e']

const INDEXES = '/api/v1/management/elasticsearch'
const POLL = { timeout: 300_000, interval: 250 }

type Entity = { [field: string]: unknown }

const searchBelow = (path: string, more = ''): string =>
  `/api/v1/search/execute?${more}query=${encodeURIComponent(
    `SELECT * FROM File WHERE ecm:path STARTSWITH '${path}' ORDER BY dc:title`,
  )}`

describe.skipIf(typeof means === 'string')('an index that is built again during work', async () => {
  if (typeof means === 'string') return
  const { call, rows, folder, expectCalm } = await createFaultBench({ search: means })

  const jsonOf = async (method: string, path: string, body?: unknown): Promise<Entity> => {
    const response = await call(method, path, { body })
    const text = await response.text()
    expect(response.status, text).toBeLessThan(300)
    return JSON.parse(text) as Entity
  }
  const file = async (parent: string, name: string): Promise<void> => {
    const properties = { 'dc:title': name }
    await jsonOf('POST', `/api/v1/path${parent}`, {
      'entity-type': 'document',
      type: 'File',
      name,
      properties,
    })
  }
  const indexes = async () => (await jsonOf('GET', INDEXES)).indexes as { name: string; state: string }[]
  const liveName = async (): Promise<string> => {
    await expect.poll(async () => (await indexes()).map(({ state }) => state), POLL).toEqual(['live'])
    return (await indexes())[0]!.name
  }
  const isTold = async (): Promise<boolean> => {
    const [found] = await rows<{ reported: boolean }>(
      `SELECT NOT EXISTS (SELECT FROM outbox o, outbox_cursors c WHERE c.name LIKE 'search %'
         AND (o.transaction_id::text::bigint, o.id) > (c.transaction_id, c.event_id)) AS reported`,
    )
    return found?.reported ?? false
  }

  test('answers every search, takes a large move in pages, and agrees with the repository', async () => {
    const moved = await folder('/', 'written')
    for (const name of ['fixed', 'kept']) await folder('/', name)
    for (const name of FIXED) await file('/fixed', name)
    const first = await liveName()
    await expect.poll(isTold, POLL).toBe(true)

    let isOver = false
    const answers = new Set<string>()
    const searcher = async (): Promise<void> => {
      while (!isOver) {
        const response = await call('GET', searchBelow('/fixed'), { takesAny: true })
        const { entries = [] } = JSON.parse(await response.text()) as { entries?: { title: string }[] }
        answers.add(`${response.status} ${entries.map(({ title }) => title).join('')}`)
      }
    }
    let next = 0
    const writer = async (): Promise<void> => {
      while (next < DOCUMENTS) await file('/written', `file-${next++}`)
    }
    const rebuild = async (): Promise<string> => {
      expect((await call('POST', `${INDEXES}/reindex`, {})).status).toBe(202)
      return liveName()
    }
    const searching = searcher()
    const [second] = await Promise.all([rebuild(), ...Array.from({ length: WRITERS }, writer)])
    expect(second).not.toBe(first)

    let wasHeld = false
    const watching = (async () => {
      while (!isOver && !wasHeld) {
        const held = await rows("SELECT name FROM outbox_cursors WHERE name LIKE 'search % below %'")
        wasHeld = held.length > 0
        await sleep(5)
      }
    })()
    const move = jsonOf('POST', '/api/v1/automation/Document.Move', {
      input: moved,
      params: { target: '/kept' },
    })
    const [third] = await Promise.all([rebuild(), move])
    expect([first, second]).not.toContain(third)
    await expect.poll(isTold, POLL).toBe(true)
    isOver = true
    await Promise.all([searching, watching])
    expect([...answers]).toEqual([`200 ${FIXED.join('')}`])
    expect(wasHeld).toBe(true)

    for (const backend of ['index', 'database']) {
      const only = `pageSize=1&backend=${backend}&`
      expect(await jsonOf('GET', searchBelow('/kept/written', only)), backend).toMatchObject({
        resultsCount: DOCUMENTS,
      })
      expect(await jsonOf('GET', searchBelow('/written', only)), backend).toMatchObject({ resultsCount: 0 })
    }
    const explained = await jsonOf('GET', searchBelow('/kept/written', 'explain=true&'))
    expect(explained).toMatchObject({ backend: 'index', index: third })
    const nothing = { count: 0 }
    expect(await jsonOf('POST', `${INDEXES}/drift`)).toMatchObject({
      missing: nothing,
      surplus: nothing,
      different: nothing,
    })
    await expectCalm()
  })
})
