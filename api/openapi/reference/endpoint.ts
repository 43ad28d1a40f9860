import { html } from 'hono/html'
import type { Html } from '../../pages/index.js'
import { type Described, type DescribedContent, type Endpoint, type JsonSchema, nameOf } from './types.js'
import { withCode } from './with-code.js'

const REFERENCE = /"#\/components\/schemas\/([^"]+)"/

const link = (name: string): Html => html`<a href="?schema=${encodeURIComponent(name)}">${name}</a>`

/** A schema as JSON, in which references are links. */
export const schemaBlock = (schema: JsonSchema): Html => {
  // Every other part is the name of a schema.
  const parts = JSON.stringify(schema, null, 2).split(new RegExp(REFERENCE, 'g'))
  return html`<pre tabindex="0"><code>${parts.map((part, index) => (index % 2 === 1 ? link(part) : part))}</code></pre>`
}

const contentOf = (content: DescribedContent): Html =>
  html`${Object.entries(content).map(
    ([type, { schema }]) => html`<p><code>${type}</code></p>${schema ? schemaBlock(schema) : ''}`,
  )}`

const typeOf = ({ type, enum: values, ...rest }: JsonSchema): string => {
  if (Array.isArray(values)) return values.map(String).join(', ')
  if (typeof type === 'string') return type
  return Array.isArray(type) ? type.join(' or ') : JSON.stringify(rest)
}

const parametersOf = ({ operation: { parameters = [] } }: Endpoint): Html =>
  parameters.length === 0
    ? html`<p>It takes no parameters.</p>`
    : html`<div class="scroll" tabindex="0" role="region" aria-label="Parameters"><table>
<thead><tr><th scope="col">Name</th><th scope="col">In</th><th scope="col">Required</th><th scope="col">Type</th><th scope="col">Description</th></tr></thead>
<tbody>${parameters.map(
        ({ name, in: place, required, schema, description = '' }) =>
          html`<tr><th scope="row"><code>${name}</code></th><td>${place}</td><td>${required ? 'required' : 'optional'}</td><td>${typeOf(schema)}</td><td>${withCode(description)}</td></tr>`,
      )}</tbody></table></div>`

const responsesOf = ({ operation: { responses } }: Endpoint, { components }: Described): Html =>
  html`${Object.entries(responses).map(([status, response]) => {
    const found = '$ref' in response ? components.responses[response.$ref.split('/').at(-1) ?? ''] : response
    const headers = Object.entries(found?.headers ?? {})
    return html`<details ${status.startsWith('2') ? 'open' : ''}><summary><b>${status}</b> ${withCode(found?.description ?? '')}</summary>
${headers.map(([name, { description }]) => html`<p><code>${name}</code> ${withCode(description)}</p>`)}
${found?.content ? contentOf(found.content) : ''}</details>`
  })}`

/** Everything about one endpoint. */
export const endpointPage = (endpoint: Endpoint, described: Described): Html => {
  const { summary, description, requestBody } = endpoint.operation
  return html`<article><h1><code>${nameOf(endpoint)}</code></h1>
<p class="description">${withCode(summary)}</p>${description ? html`<p>${withCode(description)}</p>` : ''}
<section><h2>Parameters</h2>${parametersOf(endpoint)}</section>
${requestBody ? html`<section><h2>Body</h2>${contentOf(requestBody.content)}</section>` : ''}
<section><h2>Responses</h2>${responsesOf(endpoint, described)}</section></article>`
}
