import { html } from 'hono/html'
import type { Html } from '../../pages/index.js'
import type { OperationJson } from '../registry/index.js'
import { pageOf, pairsOf } from './markup.js'

const searchedText = ({ id, label, category, description, aliases = [], params }: OperationJson): string =>
  [id, label, category, description, ...aliases, ...params.map(({ name }) => name)].join(' ').toLowerCase()

/** Entries that contain every word: in their names, category, description or parameters. */
const matching = (entries: readonly OperationJson[], query: string): readonly OperationJson[] => {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  return entries.filter((entry) => {
    const text = searchedText(entry)
    return words.every((word) => text.includes(word))
  })
}

const item = (entry: OperationJson): Html => html`<li data-text="${searchedText(entry)}">
<a href="${pageOf(entry.id)}">${entry.label}</a>${entry.label === entry.id ? '' : html` <code>${entry.id}</code>`}
<p>${entry.description}</p>
<p class="types">${pairsOf(entry.signature).map((pair) => html`<span>${pair}</span> `)}</p>
</li>`

const anchorOf = (category: string): string => `category-${encodeURIComponent(category)}`

const byCategory = (entries: readonly OperationJson[]): Html => {
  const categories = [...new Set(entries.map(({ category }) => category))].sort()
  return html`<nav class="categories" aria-label="Categories">
${categories.map((category) => html`<a href="#${anchorOf(category)}">${category}</a> `)}</nav>
${categories.map(
  (category) => html`<section class="group" aria-labelledby="${anchorOf(category)}">
<h2 id="${anchorOf(category)}">${category}</h2>
<ul class="entries">${entries.filter((entry) => entry.category === category).map(item)}</ul>
</section>`,
)}`
}

/** The index: all matching operations and chains, by category or by label. */
export const listPage = (
  entries: readonly OperationJson[],
  { query, isByLabel }: { query: string; isByLabel: boolean },
): Html => {
  const found = matching(entries, query)
  return html`<h1>Operations and chains</h1>
<p id="count" role="status" data-total="${found.length}">${found.length} of ${entries.length} shown</p>
${isByLabel ? html`<section class="group"><ul class="entries">${found.map(item)}</ul></section>` : byCategory(found)}
<p id="none" ${found.length > 0 ? 'hidden' : ''}>No operation or chain contains all of these words.</p>`
}
