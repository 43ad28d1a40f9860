/** Sends the form of an operation. It inserts text only (`textContent`), whatever a response holds. */
export const FORM_SCRIPT = String.raw`
(() => {
  const form = document.getElementById('try');
  if (!form) return;
  form.hidden = false;
  document.getElementById('needs-script').hidden = true;
  const answer = document.getElementById('answer');
  const MAX_CHARACTERS = 200000;

  const add = (name, text, parent = answer) => {
    const element = document.createElement(name);
    element.textContent = text;
    parent.append(element);
    return element;
  };

  const refuse = (message) => {
    add('p', message).className = 'refusal';
  };

  const parsed = (text) => {
    try { return JSON.parse(text); } catch { return undefined; }
  };

  const valueOf = ({ value, dataset: { type, param } }) => {
    if (type === 'boolean') return value === 'true';
    if (['integer', 'int', 'long'].includes(type)) return Number(value);
    if (type === 'date') return new Date(value).toISOString();
    if (type !== 'map' && type !== 'list') return value;
    const json = parsed(value);
    if (json === undefined) throw new Error(param + ': is no JSON');
    return json;
  };

  const requestOf = () => {
    const params = {};
    for (const control of form.querySelectorAll('[data-param]'))
      if (control.value !== '') params[control.dataset.param] = valueOf(control);
    const input = document.getElementById('input').value.trim();
    const call = JSON.stringify(input === '' ? { params } : { input, params });
    const files = document.getElementById('files')?.files ?? [];
    if (files.length === 0) return { headers: { 'Content-Type': 'application/json' }, body: call };
    const body = new FormData();
    body.append('params', new Blob([call], { type: 'application/json' }));
    for (const file of files) body.append('input', file);
    return { body };
  };

  const shortened = (text) =>
    text.length > MAX_CHARACTERS ? text.slice(0, MAX_CHARACTERS) + '\n… ' + (text.length - MAX_CHARACTERS) + ' more characters' : text;

  const SHOWN = 20;

  /** What a dry run continued after: the run would end well, but not as it was probably meant. */
  const showDryRun = ({ loops, incidents, commands, warnings = [] }) => {
    const failures = [
      ...loops.flatMap((loop) => loop.failures.map((item) => loop.operation + ' ' + loop.target + ': ' + itemText(item))),
      ...incidents.map(incidentText),
      ...commands.flatMap(({ action, first }) => first?.failure ? ['bulk command ' + action + ', first document: ' + failureText(first.failure)] : []),
    ];
    for (const warning of warnings) refuse(warning);
    if (failures.length === 0) return add('p', 'It would succeed.');
    answer.className = 'bad';
    add('p', 'It would continue after failures:').className = 'refusal';
    const list = add('ul', '');
    for (const failure of failures.slice(0, SHOWN)) add('li', failure, list).className = 'refusal';
    if (failures.length > SHOWN) add('li', 'and ' + (failures.length - SHOWN) + ' more', list);
  };

  const showBody = async (response) => {
    const type = response.headers.get('Content-Type') ?? '';
    if (response.status === 204) return add('p', 'No content: the call has no output.');
    if (/json|^text\/|xml|yaml/.test(type)) {
      const text = await response.text();
      if (text === '' && response.status === 404) return refuse('It is not available to you.');
      if (text === '') return add('p', 'The response is empty.');
      const json = parsed(text);
      if (json?.['entity-type'] === 'exception') refuse(json.message);
      if (json?.['entity-type'] === 'dryRun') showDryRun(json);
      return add('pre', shortened(json === undefined ? text : JSON.stringify(json, null, 2)));
    }
    const blob = await response.blob();
    if (response.status === 404 && blob.size === 0) return refuse('It is not available to you.');
    const link = add('a', 'Save the response: ' + (type || 'file') + ', ' + blob.size + ' bytes');
    const disposition = response.headers.get('Content-Disposition') ?? '';
    const encoded = /filename\*=UTF-8''([^;]+)/i.exec(disposition);
    link.download = encoded ? decodeURIComponent(encoded[1]) : 'answer';
    link.href = URL.createObjectURL(blob);
    return link;
  };

  const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

  /** The response arrives some milliseconds before the run is recorded as complete. */
  const reportOf = async (run) => {
    for (let looks = 0; ; looks += 1) {
      const response = await fetch('./runs/' + encodeURIComponent(run));
      if (!response.ok) return undefined;
      const report = await response.json();
      if (report.status !== 'RUNNING' || looks === 20) return report;
      await wait(100);
    }
  };

  const failureText = ({ status, message }) => message + ' (' + status + ')';

  /** Counted from 0, as the run's REST entity does. */
  const itemText = ({ position, path, id, ...failure }) =>
    'item ' + position + (path || id ? ' ' + (path || id) : '') + ': ' + failureText(failure);

  const itemsOf = ({ position, total, failed = 0, stopped }) =>
    ': ' + position + ' of ' + total + ' items' + (failed > 0 ? ', ' + failed + ' of ' + total + ' items failed' : '') +
    (stopped ? ', stopped at item ' + stopped.position : '');

  const incidentText = ({ kind, run, node, position, operation, target, input, failure, errorChain, after }) => {
    const place = (run ? run + ' ' : '') + (node === undefined ? 'step' : 'node ' + node) + (position === undefined ? '' : ' item ' + position);
    if (kind === 'errorChain')
      return place + ': error chain ' + errorChain + ' ran after: ' + failureText(after) +
        (failure ? '; it failed itself: ' + failureText(failure) : '');
    const on = input.path || input.documentId || input.name || 'a failure';
    return place + ': ' + operation + ' ' + target + ' skipped ' + on + ' after failure: ' + failureText(failure);
  };

  /** The steps of a run, with failures after which it continued. */
  const showRun = async (run) => {
    const report = await reportOf(run);
    if (!report || !report.nodes) return;
    const steps = add('ol', '');
    steps.className = 'steps';
    for (const { status, kind, title, loop } of report.nodes) {
      const step = add('li', status + ' · ' + kind + ' ' + title + (loop ? itemsOf(loop) : ''), steps);
      step.className = status;
      const items = loop ? loop.failures.concat(loop.stopped || []) : [];
      if (items.length === 0) continue;
      answer.className = 'bad';
      const list = add('ul', '', step);
      for (const item of items.slice(0, SHOWN)) add('li', itemText(item), list).className = 'refusal';
      const more = (loop.failed || 0) + (loop.stopped ? 1 : 0) - SHOWN;
      if (more > 0) add('li', 'and ' + more + ' more', list);
    }
    if (!report.incidents) return;
    add('p', 'It continued after:');
    const list = add('ul', '');
    for (const incident of report.incidents.slice(0, SHOWN)) add('li', incidentText(incident), list);
    if (report.incidentCount > SHOWN) add('li', 'and ' + (report.incidentCount - SHOWN) + ' more', list);
  };

  const show = async (response, { began, isDry }) => {
    const time = Math.round(performance.now() - began);
    answer.className = response.ok ? 'good' : 'bad';
    add('h3', response.status + ' ' + response.statusText + ' · ' + time + ' ms');
    if (isDry && !response.ok) refuse('Dry run: the call would fail.');
    if (isDry) add('p', 'Nothing was changed.');
    const run = response.headers.get('Archivolt-Workflow-Id');
    if (run) {
      const line = add('p', 'Run ');
      const link = add('a', run, line);
      link.href = './runs/' + encodeURIComponent(run);
      await showRun(run);
    }
    await showBody(response);
  };

  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const buttons = form.querySelectorAll('button');
    for (const button of buttons) button.disabled = true;
    const isDry = event.submitter?.name === 'dryRun';
    const url = form.dataset.url + (isDry ? '?dryRun=true' : '');
    answer.hidden = false;
    answer.replaceChildren();
    try {
      const began = performance.now();
      await show(await fetch(url, { method: 'POST', ...requestOf() }), { began, isDry });
    } catch (error) {
      answer.className = 'bad';
      add('p', error.message).className = 'refusal';
    } finally {
      for (const button of buttons) button.disabled = false;
      answer.focus();
    }
  });
})();
`
