import { html } from 'hono/html'
import type { Html } from '../../pages/index.js'
import type { OperationJson, ParameterJson } from '../registry/index.js'
import { callablePath } from './markup.js'

type Control = (field: { id: string; param: ParameterJson; proposed: string }) => Html

const placeholderOf = ({ values }: ParameterJson): string => values[0] ?? ''

const required = (param: ParameterJson): string => (param.required ? 'required' : '')

const truth: Control = ({
  id,
  param,
}) => html`<select id="${id}" data-param="${param.name}" data-type="${param.type}" ${required(param)}>
<option value="">${param.values[0] === undefined || param.required ? 'not set' : `default: ${param.values[0]}`}</option><option>true</option><option>false</option></select>`

const whole: Control = ({ id, param, proposed }) =>
  html`<input id="${id}" data-param="${param.name}" data-type="${param.type}" type="number" step="1" placeholder="${placeholderOf(param)}" value="${proposed}" ${required(param)}>`

const date: Control = ({ id, param }) =>
  html`<input id="${id}" data-param="${param.name}" data-type="date" type="datetime-local" ${required(param)}>`

const line: Control = ({ id, param, proposed }) =>
  html`<input id="${id}" data-param="${param.name}" data-type="${param.type}" type="text" spellcheck="false" placeholder="${placeholderOf(param)}" value="${proposed}" ${required(param)}>`

/** Values are hints: another one may be typed. */
const choice: Control = ({
  id,
  param,
  proposed,
}) => html`<input id="${id}" data-param="${param.name}" data-type="${param.type}" type="text" list="${id}-values" placeholder="${placeholderOf(param)}" value="${proposed}" autocomplete="off" ${required(param)}>
<datalist id="${id}-values">${param.values.map((value) => html`<option value="${value}"></option>`)}</datalist>`

const text: Control = ({ id, param, proposed }) =>
  html`<textarea id="${id}" data-param="${param.name}" data-type="${param.type}" rows="1" spellcheck="false" placeholder="${placeholderOf(param)}" ${required(param)}>${proposed}</textarea>`

const BY_TYPE: { readonly [type: string]: Control } = {
  boolean: truth,
  integer: whole,
  int: whole,
  long: whole,
  date,
  document: line,
  documents: line,
  stringlist: line,
  blob: line,
  resource: line,
}

const controlOf = ({ type, values }: ParameterJson): Control =>
  Object.hasOwn(BY_TYPE, type) ? BY_TYPE[type]! : values.length > 1 ? choice : text

const FORMATS: { readonly [type: string]: string } = {
  document: 'id or path',
  documents: 'ids or paths, comma-separated',
  stringlist: 'comma-separated',
  properties: 'key=value, one a line',
  map: 'JSON object',
  list: 'JSON array',
  date: 'in the time zone of this browser',
}

const row = (param: ParameterJson, position: number): Html => {
  const id = `param-${position}`
  // A required parameter has no default: its first hint is a proposal.
  const proposed = param.required ? placeholderOf(param) : ''
  return html`<div class="field"><label for="${id}">${param.name}${param.required ? html` <b title="required">*</b>` : ''}</label>
<div>${controlOf(param)({ id, param, proposed })}<small>${param.description ? `${param.description} ` : ''}<i>${FORMATS[param.type] ?? param.type}</i></small></div></div>`
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
