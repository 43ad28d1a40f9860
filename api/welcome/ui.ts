import { Hono } from 'hono'
import { html } from 'hono/html'
import type { Platform } from '../../runtime/index.js'
import { API, type Environment } from '../edge/index.js'
import { routeGroup, text } from '../openapi/index.js'
import { respondWithPage } from '../pages/index.js'
import { linksOf } from '../rest/index.js'
import { UI_SCRIPT } from './ui-script.js'

export const uiDocs = routeGroup({ tag: 'discovery' })({
  getUi: [
    'GET //ui',
    "Leads from an address of the reference platform's web interface, `/ui/#!/doc/{id}`, to the document",
    { 200: text('text/html', 'A page') },
  ],
})

/** Links in mails and entities are those of the reference platform, whose clients look for its web interface. */
export const createUiRoutes = ({ settings, repository }: Platform): Hono<Environment> => {
  const routes = new Hono<Environment>()
  // Clients and mails have it with the slash, some people without.
  routes.on('GET', ['/ui/', '/ui'], (c) => {
    const { base } = linksOf(c, { publicUrl: settings.http.publicUrl, repository })
    return respondWithPage(
      { name: '', home: `${base}/`, links: [], script: UI_SCRIPT },
      {
        title: 'Document',
        content: html`<h1>Archivolt</h1>
<p class="description" id="target" data-api="${base}${API}">Archivolt has no web interface of its own. A link to a document leads to what the API says of it.</p>`,
      },
    )
  })
  return routes
}
