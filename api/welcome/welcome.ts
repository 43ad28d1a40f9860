import { Hono } from 'hono'
import { html } from 'hono/html'
import type { Platform } from '../../runtime/index.js'
import { API, type Environment } from '../edge/index.js'
import { routeGroup, text } from '../openapi/index.js'
import { type Html, respondWithPage } from '../pages/index.js'
import { linksOf } from '../rest/index.js'

export const welcomeDocs = routeGroup({ tag: 'discovery' })({
  getWelcome: [
    'GET //',
    'What this server is, with links to what people read',
    { 200: text('text/html', 'A page') },
  ],
})

type Place = { href: string; title: string; purpose: string }

const card = ({ href, title, purpose }: Place): Html =>
  html`<li><a href="${href}">${title}</a><p>${purpose}</p></li>`

const placesAt = (base: string, uiUrl: string | undefined): Place[] => [
  {
    href: `${base}/site/automation/doc`,
    title: 'Operations and chains',
    purpose: 'What can be called: parameters, transactions, an example, and a form to try it.',
  },
  {
    href: `${base}${API}/reference`,
    title: 'API reference',
    purpose: 'Every address of the REST API with its parameters, bodies and responses.',
  },
  ...(uiUrl
    ? [{ href: uiUrl, title: 'Temporal UI', purpose: 'Runs of chains, step by step, with their failures.' }]
    : []),
  {
    href: `${base}/health/ready`,
    title: 'Health',
    purpose: 'Whether the database, Temporal and the workers respond.',
  },
]

/** The first page of a server, for people. */
export const createWelcomeRoutes = ({ settings, repository }: Platform): Hono<Environment> => {
  const { temporal, http } = settings
  const routes = new Hono<Environment>()
  routes.get('/', (c) => {
    const { base } = linksOf(c, { publicUrl: http.publicUrl, repository })
    return respondWithPage(
      { name: '', home: `${base}/`, links: [] },
      {
        title: 'Welcome',
        content: html`<h1>Archivolt</h1>
<p class="description">Content management and automation on Temporal, wire-compatible with the Nuxeo Platform.</p>
<p>You are <b>${c.get('principal').name}</b>.</p>
<ul class="entries">${placesAt(base, temporal.uiUrl).map(card)}</ul>
<section><h2>From a terminal</h2>
<pre tabindex="0"><code>npx archivolt login ${base}
npx archivolt chains
curl -u ${c.get('principal').name} ${base}${API}/path/</code></pre></section>`,
      },
    )
  })
  return routes
}
