/**
 * Bare Hono handlers that call the core as the operations of the bench do, on the product's own platform: what a
 * request over REST costs beside it is what the edge and the execution of operations cost. Settings: the environment.
 */
import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { principalOf } from '../../core/access/security/index.js'
import { createDocument, getDocument } from '../../core/content/documents/index.js'
import { parseSettings } from '../../core/platform/settings/index.js'
import { createLogger } from '../../core/platform/telemetry/index.js'
import { createPlatform } from '../../runtime/index.js'

const settings = parseSettings(process.env)
const logger = createLogger({ service: 'archivolt-bench', node: 'bench', level: 'silent' })
const platform = await createPlatform(settings, logger, { makesAdministrator: false })
const principal = principalOf('Administrator', [], true)
const app = new Hono()

type Call = { params: { value: string } }

app.post('/Repository.GetDocument', async (c) => {
  const { params } = await c.req.json<Call>()
  return c.json(await platform.withSession(principal, (session) => getDocument(session, params.value)))
})

type Creation = {
  input: string
  params: { name: string; type: string; properties: { [xpath: string]: string } }
}

app.post('/Document.Create', async (c) => {
  const { input, params } = await c.req.json<Creation>()
  const parent = input.replace(/^doc:/, '')
  return c.json(
    await platform.withSession(principal, (session) => createDocument(session, { ...params, parent })),
  )
})

serve({ fetch: app.fetch, hostname: '127.0.0.1', port: 0 }, ({ port }) =>
  process.stdout.write(`http://127.0.0.1:${port}\n`),
)
process.once('SIGTERM', () => process.exit())
