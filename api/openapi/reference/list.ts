import { html } from 'hono/html'
import type { Html } from '../../pages/index.js'
import { type Described, type Endpoint, endpointsOf, nameOf } from './types.js'
import { withCode } from './with-code.js'

const textOf = (endpoint: Endpoint): string =>
  [nameOf(endpoint), endpoint.operation.summary, ...endpoint.operation.tags].join(' ').toLowerCase()

const item = (endpoint: Endpoint): Html => html`<li data-text="${textOf(endpoint)}">
<a href="?at=${encodeURIComponent(nameOf(endpoint))}"><code>${nameOf(endpoint)}</code></a>
<p>${withCode(endpoint.operation.summary)}</p></li>`

const anchorOf = (tag: string): string => `tag-${encodeURIComponent(tag)}`

/** All endpoints by tag; with `query` those that have all its words. */
export const listPage = (described: Described, query: string): Html => {
  const all = endpointsOf(described)
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  const found = all.filter((endpoint) => words.every((word) => textOf(endpoint).includes(word)))
  const tags = [...new Set(found.flatMap(({ operation }) => operation.tags))]
  return html`<h1>API reference</h1>
<p class="description">${withCode(described.info.description)}</p>
<p id="count" role="status" data-total="${found.length}">${found.length} of ${all.length} shown</p>
<nav class="categories" aria-label="Tags">${tags.map((tag) => html`<a href="#${anchorOf(tag)}">${tag}</a> `)}</nav>
${tags.map(
  (
    tag,
  ) => html`<section class="group" aria-labelledby="${anchorOf(tag)}"><h2 id="${anchorOf(tag)}">${tag}</h2>
<ul class="entries">${found.filter(({ operation }) => operation.tags[0] === tag).map(item)}</ul></section>`,
)}
<p id="none" ${found.length > 0 ? 'hidden' : ''}>No address contains all of these words.</p>`
}
