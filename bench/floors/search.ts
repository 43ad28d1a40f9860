/**
 * A bare Hono handler that passes a search on to Elasticsearch, with the product's client, and writes what it has found as
 * the product does: from the entries themselves, in plain code. Arguments: Elasticsearch, schemas by type (JSON).
 */
import { Client } from '@elastic/elasticsearch'
import { serve } from '@hono/node-server'
import { Hono } from 'hono'

type Source = { [field: string]: unknown }

const [node = '', schemas = '{}'] = process.argv.slice(2)
const schemasOf = JSON.parse(schemas) as { [type: string]: unknown }
const client = new Client({ node })
const app = new Hono()

/** What a document without its properties is written from. */
const FIELDS = [
  'ecm:repository',
  'ecm:uuid',
  'ecm:path',
  'ecm:primaryType',
  'ecm:currentLifeCycleState',
  'ecm:parentId',
  'ecm:isCheckedIn',
  'ecm:isVersion',
  'ecm:isProxy',
  'ecm:isTrashed',
  'ecm:changeToken',
  'ecm:title',
  'ecm:mixinType',
  'dc:modified',
]

const entityOf = (source: Source) => ({
  'entity-type': 'document',
  repository: source['ecm:repository'],
  uid: source['ecm:uuid'],
  path: source['ecm:path'],
  type: source['ecm:primaryType'],
  state: source['ecm:currentLifeCycleState'],
  parentRef: source['ecm:parentId'],
  isCheckedOut: !source['ecm:isCheckedIn'],
  isRecord: false,
  retainUntil: null,
  hasLegalHold: false,
  isUnderRetentionOrLegalHold: false,
  isVersion: source['ecm:isVersion'],
  isProxy: source['ecm:isProxy'],
  changeToken: source['ecm:changeToken'],
  isTrashed: source['ecm:isTrashed'],
  title: source['ecm:title'],
  lastModified: source['dc:modified'],
  facets: source['ecm:mixinType'] ?? [],
  schemas: schemasOf[String(source['ecm:primaryType'])],
})

app.post('/search/:index', async (c) => {
  const body = await c.req.json<object>()
  const { hits } = await client.search<Source>({ index: c.req.param('index'), ...body, _source: FIELDS })
  const entries = hits.hits.map(({ _source = {} }) => entityOf(_source))
  const resultsCount = typeof hits.total === 'number' ? hits.total : hits.total?.value
  return c.json({ 'entity-type': 'documents', resultsCount, currentPageSize: entries.length, entries })
})

/** As the product reports it. */
app.get('/metrics', (c) => {
  const { user, system } = process.cpuUsage()
  return c.text(`process_cpu_seconds_total{service="floor"} ${(user + system) / 1_000_000}\n`)
})

serve({ fetch: app.fetch, hostname: '127.0.0.1', port: 0 }, ({ port }) =>
  process.stdout.write(`http://127.0.0.1:${port}\n`),
)
process.once('SIGTERM', () => process.exit())
