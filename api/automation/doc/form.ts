import { html } from 'hono/html'
import type { OperationJson, ParameterJson } from '../registry/index.js'
import { callablePath, type Html } from './markup.js'

const WHOLE = ['integer', 'int', 'long']

const control = (field: string, { name, type, required, values }: ParameterJson): Html => {
  const must = required ? 'required' : ''
  // A required parameter has no default: its first hint is a proposal.
  const proposed = required ? (values[0] ?? '') : ''
  if (type === 'boolean')
    return html`<select id="${field}" data-param="${name}" data-type="${type}" ${must}>
<option value="">${values[0] === undefined || required ? 'not set' : `default: ${values[0]}`}</option><option>true</option><option>false</option></select>`
  if (WHOLE.includes(type))
    return html`<input id="${field}" data-param="${name}" data-type="${type}" type="number" step="1" placeholder="${values[0] ?? ''}" value="${proposed}" ${must}>`
  return html`<textarea id="${field}" data-param="${name}" data-type="${type}" rows="1" spellcheck="false" placeholder="${values[0] ?? ''}" ${must}>${proposed}</textarea>`
}

const FORMATS: { [type: string]: string } = {
  document: 'id or path',
  documents: 'ids or paths, comma-separated',
  stringlist: 'comma-separated',
  properties: 'key=value, one a line',
  map: 'JSON object',
  list: 'JSON array',
  date: 'such as 2024-05-31T12:00:00Z',
}

const row = (param: ParameterJson, position: number): Html => {
  const field = `param-${position}`
  return html`<div class="field"><label for="${field}">${param.name}${param.required ? html` <b title="required">*</b>` : ''}</label>
<div>${control(field, param)}<small>${FORMATS[param.type] ?? param.type}</small></div></div>`
}

const takesFiles = (signature: readonly string[]): boolean =>
  signature.some((type, position) => position % 2 === 0 && /^(?:blob|bloblist|object)$/.test(type))

/** A form that calls the operation as the reader of the page; hidden without scripts. */
export const tryForm = ({ id, signature, params }: OperationJson, caller: string): Html => html`
<p id="needs-script">The form to try it needs JavaScript.</p>
<form id="try" data-url="${callablePath(id)}" hidden>
<p>It runs as <b>${caller}</b>, and what it changes is changed. A dry run rolls everything back, and reports what the call would do.</p>
<fieldset><legend>Input</legend>
<div class="field"><label for="input">Input</label><div><textarea id="input" rows="1" spellcheck="false"></textarea>
<small>a document's id or path, docs: with several of them, or a text; empty for none</small></div></div>
${
  takesFiles(signature)
    ? html`<div class="field"><label for="files">Files</label><div><input id="files" type="file" multiple><small>instead of the input above</small></div></div>`
    : ''
}</fieldset>
${params.length > 0 ? html`<fieldset><legend>Parameters</legend>${params.map(row)}</fieldset>` : ''}
<div class="buttons"><button type="submit" class="primary">Run</button><button type="submit" name="dryRun" value="true">Dry run</button></div>
</form>
<section id="answer" tabindex="-1" aria-live="polite" aria-label="Answer" hidden></section>`
