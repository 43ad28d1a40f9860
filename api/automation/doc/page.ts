import { html } from 'hono/html'
import { callableNames } from '../../../core/automation/chains/index.js'
import type { Callable, Registry } from '../../../core/automation/language/index.js'
import type { KnownNames } from '../../../core/automation/lint/index.js'
import { didYouMean } from '../../../core/platform/contributions/index.js'
import type { RequestContext } from '../../edge/index.js'
import { respondWithPage, type Site } from '../../pages/index.js'
import { listOf } from '../registry/index.js'
import { listPage } from './list.js'
import { pageOf } from './markup.js'
import { operationPage } from './operation.js'
import { FORM_SCRIPT } from './script.js'

const SITE: Site = {
  name: 'automation',
  home: './doc',
  search: { action: './doc', label: 'Search operations and chains' },
  links: [
    { href: './doc', text: 'By category' },
    { href: './doc?browse=label', text: 'By label' },
    { href: './?pretty=true', text: 'JSON' },
  ],
  script: FORM_SCRIPT,
}

export type DocDependencies = {
  registry: Registry
  /** Names of properties, to warn of chains that name an unknown one. */
  names: KnownNames
  isOpen(callable: Callable): boolean
  /** Address of the Temporal UI, when it is known. */
  temporal: { uiUrl: string | undefined; namespace: string }
}

const runsUrlOf = ({ uiUrl, namespace }: DocDependencies['temporal'], id: string): string | undefined => {
  if (!uiUrl) return undefined
  const query = encodeURIComponent(`ChainId=${JSON.stringify(id)}`)
  return `${uiUrl.replace(/\/$/, '')}/namespaces/${encodeURIComponent(namespace)}/workflows?query=${query}`
}

const idOf = (callable: Callable): string =>
  callable.kind === 'chain' ? callable.chain.id : callable.operation.id

const unknownPage = (id: string, registry: Registry): Promise<Response> => {
  const found = registry.find(id)
  const other = found && idOf(found)
  const meant = found ? undefined : didYouMean(id, callableNames(registry))
  const near = meant === undefined ? undefined : registry.find(meant)
  return respondWithPage(SITE, {
    status: 404,
    title: 'Not found',
    content: html`<h1>Not found</h1><p>No operation or chain has the id <code>${id}</code>.</p>
${other === undefined ? '' : html`<p>It is another name of <a href="${pageOf(other)}">${other}</a>.</p>`}
${near === undefined ? '' : html`<p>Did you mean <a href="${pageOf(idOf(near))}">${meant}</a>?</p>`}`,
  })
}

/**
 * The documentation of all operations and chains (reference: automation.md §9): an index by category, or by label with
 * `browse=label`, with `q` those that have all its words; with `id` one operation or chain, by its own id alone.
 */
export const docPage = (
  c: RequestContext,
  { registry, names, isOpen, temporal }: DocDependencies,
): Promise<Response> => {
  const id = c.req.query('id')
  if (id === undefined) {
    const query = c.req.query('q') ?? ''
    const isByLabel = c.req.query('browse') === 'label'
    return respondWithPage(SITE, {
      title: 'Operations',
      query,
      content: listPage(listOf(registry), { query, isByLabel }),
    })
  }
  const callable = registry.find(id)
  if (!callable || idOf(callable) !== id) return unknownPage(id, registry)
  return respondWithPage(SITE, {
    title: id,
    content: operationPage({
      callable,
      registry,
      names,
      principal: c.get('principal'),
      isOpen: isOpen(callable),
      runsUrl: runsUrlOf(temporal, id),
    }),
  })
}
