import { describe, expect, test } from 'vitest'
import { findMeans } from '../../stack/elasticsearch/index.js'
import { seededRandom } from '../support/random.js'
import { sized } from '../support/size.js'
import { createFaultBench } from './fault-bench.js'
import { planKills } from './fault-plan.js'

const means = await findMeans(process.env)
if (typeof means === 'string' && process.env.CI) throw new Error(`Elasticsearch cannot be started: ${means}`)

const DOCUMENTS = sized({ full: 50_000, sample: 240 })
const KILLS = sized({ full: 5, sample: 1 })
const WRITERS = 4
const TIMEOUT_MS = sized({ full: 3 * 3_600_000, sample: 600_000 })

const SEARCH = `/api/v1/search/execute?pageSize=5&query=${encodeURIComponent(
  "SELECT * FROM File WHERE ecm:path STARTSWITH '/searched' AND ecm:fulltext = 'written' ORDER BY dc:title",
)}`

type Entity = { [field: string]: unknown }

describe.skipIf(typeof means === 'string')('searches while servers are killed', async () => {
  if (typeof means === 'string') return
  const { seed, call, rows, folder, killAlong, expectCalm } = await createFaultBench({ search: means })

  const jsonOf = async (method: string, path: string, body?: unknown): Promise<Entity> => {
    const response = await call(method, path, { body })
    const text = await response.text()
    expect(response.status, text).toBeLessThan(300)
    return JSON.parse(text) as Entity
  }

  const operate = async (operation: string, key: string, body: object): Promise<void> => {
    const headers = { 'Idempotency-Key': `${operation}-${key}-${seed}` }
    const response = await call('POST', `/api/v1/automation/${operation}`, { body, headers })
    expect(response.status, await response.text()).toBeLessThan(300)
  }

  /** Whether the index, and the audit, have been notified of all that is committed. */
  const isTold = async (): Promise<boolean> => {
    const [found] = await rows<{ reported: boolean }>(
      `SELECT NOT EXISTS (SELECT FROM outbox o, outbox_cursors c WHERE (c.name = 'audit' OR c.name LIKE 'search %')
         AND (o.transaction_id::text::bigint, o.id) > (c.transaction_id, c.event_id)) AS reported`,
    )
    return found?.reported ?? false
  }

  test(
    'none fails, and afterwards index, audit and repository agree',
    async () => {
      await folder('/', 'searched')
      await folder('/', 'kept')
      const states = async () =>
        ((await jsonOf('GET', '/api/v1/management/elasticsearch')).indexes as { state: string }[]).map(
          ({ state }) => state,
        )
      await expect.poll(states, { timeout: TIMEOUT_MS, interval: 250 }).toEqual(['live'])

      let next = 0
      let done = 0
      const random = seededRandom(seed)
      const ends: { operation: string; params: object; event: string }[] = [
        {
          operation: 'Document.Update',
          params: { properties: 'dc:description=changed' },
          event: 'documentModified',
        },
        { operation: 'Document.Move', params: { target: '/kept' }, event: 'documentMoved' },
        { operation: 'Document.Trash', params: {}, event: 'documentTrashed' },
        { operation: 'Document.Delete', params: {}, event: 'documentRemoved' },
      ]
      const expected = new Map([['documentCreated', DOCUMENTS]])
      const writer = async (): Promise<void> => {
        while (next < DOCUMENTS) {
          const key = `file-${next++}`
          const properties = { 'dc:title': `written ${key}` }
          await operate('Document.Create', key, {
            input: '/searched',
            params: { type: 'File', name: key, properties },
          })
          const end = ends[Math.floor(random() * 2 * ends.length)]
          if (end) {
            await operate(end.operation, key, { input: `/searched/${key}`, params: end.params })
            expected.set(end.event, (expected.get(end.event) ?? 0) + 1)
          }
          done++
        }
      }

      let isOver = false
      // While Postgres is down nobody can answer; it is killed in the second half alone.
      let isDatabaseKilled = false
      const statuses = new Set<number>()
      const statusesWithKills = new Set<number>()
      const searcher = async (): Promise<void> => {
        while (!isOver) {
          const { status } = await call('GET', SEARCH, { takesAny: true })
          const seen = isDatabaseKilled ? statusesWithKills : statuses
          seen.add(status)
        }
      }
      const apart = ['elasticsearch', 'worker', 'api'] as const
      const all = [...apart, 'postgres'] as const
      const progress = () => done / DOCUMENTS
      const kill = async (): Promise<number> => {
        const first = planKills(seed, { each: KILLS, maxDelayMs: 50, among: apart })
        const before = await killAlong(first, async () => progress() * 2)
        await expectCalm()
        isDatabaseKilled = true
        const second = planKills(seed + 1, { each: KILLS, maxDelayMs: 50, among: all })
        return before + (await killAlong(second, async () => progress() * 2 - 1))
      }
      const searching = searcher()
      const [killed] = await Promise.all([kill(), ...Array.from({ length: WRITERS }, writer)])
      expect(killed).toBeGreaterThanOrEqual(apart.length + all.length - 2)
      await expectCalm()
      await expect.poll(isTold, { timeout: TIMEOUT_MS, interval: 250 }).toBe(true)
      isOver = true
      await searching
      expect([...statuses]).toEqual([200])
      expect([200, 503]).toEqual(expect.arrayContaining([...statusesWithKills]))
      expect((await call('GET', SEARCH, { takesAny: true })).status).toBe(200)

      expect(await jsonOf('POST', '/api/v1/management/elasticsearch/drift')).toMatchObject({
        missing: { count: 0 },
        surplus: { count: 0 },
        different: { count: 0 },
      })

      const written = await rows<{ event: string; count: number; documents: number }>(
        `SELECT event_id AS event, count(*)::int, count(DISTINCT doc_uuid)::int AS documents FROM audit_entries
       WHERE doc_type = 'File' GROUP BY 1`,
      )
      for (const [event, count] of expected)
        expect(written, event).toContainEqual({ event, count, documents: count })

      const params = { waitForAudit: true }
      expect(
        await jsonOf('POST', '/api/v1/automation/Elasticsearch.WaitForIndexing', { params }),
      ).toMatchObject({
        value: true,
      })
      const { aggregations } = (await jsonOf('POST', '/site/es/audit/_search', {
        size: 0,
        query: { term: { docType: 'File' } },
        aggs: { events: { terms: { field: 'eventId', size: 50 } } },
      })) as { aggregations: { events: { buckets: { key: string; doc_count: number }[] } } }
      const copied = aggregations.events.buckets.map(({ key, doc_count }) => [key, doc_count])
      expect(new Map(copied as [string, number][])).toEqual(
        new Map(written.map(({ event, count }) => [event, count])),
      )
    },
    TIMEOUT_MS,
  )
})
