import { html } from 'hono/html'
import type { ChainDefinition, Operation, Registry } from '../../../core/automation/language/index.js'
import { describePlan, type PlanPart } from '../../../core/automation/planning/index.js'
import { isArchivoltError } from '../../../core/platform/errors/index.js'
import type { Html } from '../../pages/index.js'
import { pageOf } from './markup.js'

const KINDS: { [kind in PlanPart['kind']]: string } = {
  segment: 'One transaction',
  call: 'Boundary: a transaction of its own',
  loop: 'Boundary: a transaction for each element',
}

/** A step may name what it calls by an alias, under which there is no page. */
const linkTo = (id: string, registry: Registry): Html => {
  const found = registry.find(id)
  const own = found?.kind === 'chain' ? found.chain.id : (found?.operation.id ?? id)
  return html`<a href="${pageOf(own)}">${id}</a>`
}

const part = (
  { kind, title, steps, isSlow, segments }: PlanPart,
  registry: Registry,
): Html => html`<li class="${kind}">
<strong>${KINDS[kind]}</strong>${kind === 'segment' ? '' : html` <span>${title}</span>`}${isSlow ? html` <em>may take long</em>` : ''}
<ol class="steps">${steps.map((id) => html`<li>${linkTo(id, registry)}</li>`)}</ol>
${segments ? html`<p>Its target commits between steps:</p><ol class="plan">${segments.map((inner) => part(inner, registry))}</ol>` : ''}
</li>`

const committing = (boundaries: number): string => {
  if (boundaries === 0) return 'without a boundary: it commits as a whole or not at all'
  const places = boundaries === 1 ? '1 boundary' : `${boundaries} boundaries`
  return `with ${places}, at which it commits before it continues`
}

const errorChains = ({ onError = [] }: ChainDefinition, registry: Registry): Html | string =>
  onError.length === 0
    ? ''
    : html`<p>When it fails, one of these runs:</p>
<ul>${onError.map(({ chain, rollback }) => html`<li>${linkTo(chain, registry)}, ${rollback ? 'after the failed transaction is rolled back' : 'and the changes until then are committed'}</li>`)}</ul>`

/** The transactions of a chain, in order. */
export const chainPlan = (chain: ChainDefinition, registry: Registry): Html => {
  try {
    const { segments, boundaries, execution } = describePlan(chain, registry)
    const runs = execution === 'inline' ? 'in the process of the caller' : 'as a workflow'
    return html`<p>Runs ${runs}, ${committing(boundaries)}.</p>
<ol class="plan">${segments.map((segment) => part(segment, registry))}</ol>
${errorChains(chain, registry)}`
  } catch (error) {
    // A callable that it names was removed since: the page says so, as a run would.
    if (!isArchivoltError(error)) throw error
    return html`<p class="refusal">It cannot run: ${error.message}</p>`
  }
}

const BOUNDARIES = {
  loop: 'Commits the steps before it, then runs its target in a transaction for each element.',
  transaction: 'Commits the steps before it, then runs its target in a transaction of its own.',
}

const transactionOf = ({ boundary }: Operation): string => {
  if (boundary === undefined)
    return 'Called alone, one transaction. In a chain, part of the transaction of the steps around it.'
  if (typeof boundary !== 'function') return BOUNDARIES[boundary]
  const asked = boundary({ newTx: true })
  return `Part of the transaction around it; with newTx: ${asked ? BOUNDARIES[asked] : 'no other.'}`
}

/** The transactions of a call of an operation. */
export const operationPlan = (operation: Operation): Html => html`<p>${transactionOf(operation)}</p>
${operation.isSlow ? html`<p>It may take long: its segment is an activity with heartbeats.</p>` : ''}
${operation.script ? html`<p>It is a script: its calls belong to the same transaction.</p>` : ''}`
