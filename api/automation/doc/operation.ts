import { html } from 'hono/html'
import type { Principal } from '../../../core/access/security/index.js'
import { currentWarnings, writeYaml } from '../../../core/automation/chains/index.js'
import type { Callable, Registry } from '../../../core/automation/language/index.js'
import type { KnownNames } from '../../../core/automation/lint/index.js'
import type { ErrorDetail } from '../../../core/platform/errors/index.js'
import type { Html } from '../../pages/index.js'
import { chainJson, type OperationJson, operationJson, type ParameterJson } from '../registry/index.js'
import { exampleOf } from './example.js'
import { tryForm } from './form.js'
import { callablePath, pairsOf } from './markup.js'
import { chainPlan, operationPlan } from './plan.js'

export type Shown = {
  callable: Callable
  registry: Registry
  names: KnownNames
  principal: Principal
  /** Whether the caller may call it. */
  isOpen: boolean
  /** Where the Temporal UI lists its runs, when its address is known. */
  runsUrl: string | undefined
}

/** What a reader wants to know of a parameter beyond its entry in the registry. */
type More = { isDefault: boolean; aliases: readonly string[] }

const moreOf = (callable: Callable, { name, required }: ParameterJson): More => {
  if (callable.kind === 'chain') return { isDefault: !required, aliases: [] }
  const { default: otherwise, aliases = [] } = callable.operation.params[name] ?? {}
  return { isDefault: otherwise !== undefined, aliases }
}

const valueCell = (values: readonly string[], { isDefault }: More): Html =>
  html`${values.map(
    (value, position) =>
      html`<code>${value}</code>${isDefault && position === 0 ? html` <small>default</small>` : ''} `,
  )}`

const parameterRow = (parameter: ParameterJson, more: More): Html => {
  const { name, description, type, required, values } = parameter
  const { aliases } = more
  return html`<tr>
<th scope="row"><code>${name}</code>${aliases.length > 0 ? html` <small>or ${aliases.join(', ')}</small>` : ''}</th><td>${type}</td><td>${required ? 'required' : 'optional'}</td>
<td>${valueCell(values, more)}</td><td>${description}</td></tr>`
}

const parameterTable = (params: readonly ParameterJson[], callable: Callable): Html =>
  params.length === 0
    ? html`<p>It takes no parameters.</p>`
    : html`<div class="scroll" tabindex="0" role="region" aria-label="Parameters"><table>
<thead><tr><th scope="col">Name</th><th scope="col">Type</th><th scope="col">Required</th><th scope="col">Values</th><th scope="col">Description</th></tr></thead>
<tbody>${params.map((parameter) => parameterRow(parameter, moreOf(callable, parameter)))}</tbody></table></div>`

const fact = (name: string, value: Html | string): Html => html`<div><dt>${name}</dt><dd>${value}</dd></div>`

const facts = (
  { id, category, aliases = [], since, signature }: OperationJson,
  callable: Callable,
): Html => html`<dl class="facts">
${fact('Id', html`<code>${id}</code>`)}${fact('Category', category)}
${aliases.length > 0 ? fact('Aliases', html`${aliases.map((alias) => html`<code>${alias}</code> `)}`) : ''}
${since ? fact('Since', since) : ''}
${callable.kind === 'operation' && callable.operation.isAdministrative ? fact('Called by', 'administrators, unless the deployment says otherwise; and chains of any caller') : ''}
${fact('Signature', html`${pairsOf(signature).map((pair) => html`<span class="pair">${pair}</span> `)}`)}
</dl>`

const block = (text: string): Html => html`<pre tabindex="0"><code>${text}</code></pre>`

/** The text of a chain or script is for administrators: it may hold secrets. */
const sourceOf = (callable: Callable, { isAdministrator }: Principal): Html | string => {
  if (callable.kind === 'chain')
    return isAdministrator ? html`<section><h2>YAML</h2>${block(writeYaml(callable.chain))}</section>` : ''
  const { operation } = callable
  return html`<section><h2>In a chain</h2>${block(exampleOf(operation))}</section>
${operation.script && isAdministrator ? html`<section><h2>Script</h2>${block(operation.script.script)}</section>` : ''}`
}

const warning = ({ field, line, column, message }: ErrorDetail): Html =>
  html`<li>${field ? html`<code>${field}</code> ` : ''}${message}${line === undefined ? '' : html` <small>line ${line}, column ${column ?? 1}</small>`}</li>`

/** The warnings of a deployment, for readers of its text. */
const warningsOf = ({ callable, registry, names, principal }: Shown): Html | string => {
  const warnings = principal.isAdministrator ? currentWarnings(callable, { registry, names }) : []
  if (warnings.length === 0) return ''
  return html`<section class="warnings"><h2>Warnings</h2>
<p>It can run, but this is probably not meant as it is written below:</p>
<ul>${warnings.map(warning)}</ul></section>`
}

/** Everything about one operation or chain. */
export const operationPage = (shown: Shown): Html => {
  const { callable, registry, principal, isOpen, runsUrl } = shown
  const entry =
    callable.kind === 'chain'
      ? chainJson(callable.chain, registry, callable.chain.id)
      : operationJson(callable.operation)
  return html`<article>
<h1>${entry.label}</h1>
<p class="description">${entry.description}</p>
${facts(entry, callable)}
<p class="links"><a href="${callablePath(entry.id)}">JSON</a>
${callable.kind === 'chain' && principal.isAdministrator ? html` <a href="${callablePath(entry.id, '/yaml')}">YAML</a>` : ''}
${runsUrl ? html` <a href="${runsUrl}" target="_blank" rel="noopener noreferrer">Last runs in the Temporal UI</a>` : ''}</p>
${warningsOf(shown)}
<section><h2>Parameters</h2>${parameterTable(entry.params, callable)}</section>
<section><h2>Transactions</h2>${callable.kind === 'chain' ? chainPlan(callable.chain, registry) : operationPlan(callable.operation)}</section>
${sourceOf(callable, principal)}
<section><h2>Try it</h2>${
    isOpen ? tryForm(entry, principal.name) : html`<p class="refusal">You may not call it.</p>`
  }</section>
</article>`
}
