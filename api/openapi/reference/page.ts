import { html } from 'hono/html'
import type { RequestContext } from '../../edge/index.js'
import { respondWithPage, type Site } from '../../pages/index.js'
import { endpointPage, schemaBlock } from './endpoint.js'
import { listPage } from './list.js'
import { type Described, endpointsOf, nameOf } from './types.js'

const siteAt = (base: string): Site => ({
  name: 'API reference',
  home: `${base}/`,
  search: { action: './reference', label: 'Search addresses' },
  links: [
    { href: './reference', text: 'All addresses' },
    { href: './openapi.json', text: 'OpenAPI' },
  ],
})

/**
 * The OpenAPI document as pages: all endpoints by tag, with `q` those that have all its words, with `at` one of them,
 * with `schema` one schema of the document.
 *
 * @param base address of the server as the caller reached it.
 */
export const referencePage = (
  c: RequestContext,
  { base, described }: { base: string; described: Described },
): Promise<Response> => {
  const site = siteAt(base)
  const { at, schema: name, q: query = '' } = c.req.query()
  const schemas = described.components.schemas
  const missing = (what: string) =>
    respondWithPage(site, {
      title: 'Not found',
      status: 404,
      content: html`<h1>Not found</h1><p>${what}</p>`,
    })
  if (name !== undefined) {
    const schema = Object.hasOwn(schemas, name) ? schemas[name] : undefined
    if (!schema) return missing(`There is no schema ${name}.`)
    return respondWithPage(site, { title: name, content: html`<h1>${name}</h1>${schemaBlock(schema)}` })
  }
  if (at === undefined)
    return respondWithPage(site, { title: 'Addresses', query, content: listPage(described, query) })
  const endpoint = endpointsOf(described).find((one) => nameOf(one) === at)
  if (!endpoint) return missing(`Nothing is served at ${at}.`)
  return respondWithPage(site, { title: at, content: endpointPage(endpoint, described) })
}
