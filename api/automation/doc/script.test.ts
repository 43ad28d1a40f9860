import { runInNewContext } from 'node:vm'
import { expect, test, vi } from 'vitest'
import { FORM_SCRIPT } from './script.js'

type Element = {
  children: Element[]
  textContent: string
  listeners: { [event: string]: (event: object) => Promise<void> }
  [member: string]: unknown
}

/** As much of an element as the script looks at. */
const createElement = (): Element => {
  const element: Element = {
    children: [],
    textContent: '',
    className: '',
    hidden: false,
    value: '',
    dataset: { url: './chain' },
    listeners: {},
    append: (...more: Element[]) => element.children.push(...more),
    replaceChildren: () => {
      element.children = []
    },
    addEventListener: (event: string, listener: (event: object) => Promise<void>) => {
      element.listeners[event] = listener
    },
    querySelectorAll: () => [],
    focus: () => undefined,
  }
  return element
}

const textsOf = ({ textContent, children }: Element): string[] =>
  [textContent, ...children.flatMap(textsOf)].filter((text) => text !== '')

const failure = { code: 'notFound', status: 404, message: 'gone' }

const REPORT = {
  status: 'COMPLETED',
  nodes: [
    {
      status: 'done',
      kind: 'loop',
      title: 'each',
      loop: {
        position: 3,
        total: 3,
        failed: 1,
        failures: [{ position: 1, id: 'b-id', path: '/b', status: 403, message: 'no' }],
      },
    },
    { status: 'caught', kind: 'call', title: 'one' },
    { status: 'skipped', kind: 'segment', title: 'last' },
  ],
  incidents: [
    {
      kind: 'passedOver',
      node: 1,
      position: 4,
      operation: 'RunDocumentOperation',
      target: 'one',
      input: { type: 'document', documentId: 'id', path: '/a' },
      failure,
    },
    { kind: 'errorChain', node: 1, errorChain: 'recover', after: failure, outcome: 'failed', failure },
  ],
  incidentCount: 30,
}

test('a run that was tried shows its steps, and what failed of it without ending it', async () => {
  const elements: { [id: string]: Element } = Object.fromEntries(
    ['try', 'needs-script', 'answer', 'input'].map((id) => [id, createElement()]),
  )
  const answers = [
    {
      status: 204,
      statusText: 'No Content',
      ok: true,
      headers: new Headers({ 'Archivolt-Workflow-Id': 'r/1' }),
    },
    { ok: true, json: async () => ({ ...REPORT, status: 'RUNNING' }) },
    { ok: true, json: async () => REPORT },
  ]
  const fetch = vi.fn(async (_url: string) => answers.shift())
  runInNewContext(FORM_SCRIPT, {
    document: {
      getElementById: (id: string) => elements[id] ?? null,
      createElement,
      querySelectorAll: () => [],
    },
    fetch,
    performance,
    setTimeout,
    encodeURIComponent,
  })
  await elements.try?.listeners.submit?.({ preventDefault: () => undefined })
  expect(fetch.mock.calls.map(([url]) => url)).toEqual(['./chain', './runs/r%2F1', './runs/r%2F1'])
  const texts = textsOf(elements.answer as Element)
  for (const text of [
    'done · loop each: 3 of 3 items, 1 of 3 items failed',
    'item 1 /b: no (403)',
    'caught · call one',
    'skipped · segment last',
    'node 1 item 4: RunDocumentOperation one skipped /a after failure: gone (404)',
    'node 1: error chain recover ran after: gone (404); it failed itself: gone (404)',
    'and 10 more',
  ])
    expect(texts).toContain(text)
})

type Response = { status: number; ok: boolean; json: object }

const dryRun = async ({ status, ok, json }: Response): Promise<Element> => {
  const elements: { [id: string]: Element } = Object.fromEntries(
    ['try', 'needs-script', 'answer', 'input'].map((id) => [id, createElement()]),
  )
  const fetch = async () => ({
    ...{ status, statusText: '', ok },
    headers: new Headers({ 'Content-Type': 'application/json' }),
    text: async () => JSON.stringify(json),
  })
  runInNewContext(FORM_SCRIPT, {
    document: {
      getElementById: (id: string) => elements[id] ?? null,
      createElement,
      querySelectorAll: () => [],
    },
    ...{ fetch, performance, setTimeout, encodeURIComponent },
  })
  await elements.try?.listeners.submit?.({
    preventDefault: () => undefined,
    submitter: { name: 'dryRun' },
  })
  return elements.answer as Element
}

const DRY = { 'entity-type': 'dryRun', loops: [], incidents: [], commands: [], warnings: [] }

test.each<[string, Response, string, string]>([
  [
    'fails',
    { status: 400, ok: false, json: { 'entity-type': 'exception', message: 'value is required' } },
    'bad',
    'Dry run: the call would fail.',
  ],
  [
    'skips what fails',
    {
      ...{ status: 200, ok: true },
      json: {
        ...DRY,
        loops: [{ operation: 'Run', target: 'one', failures: [{ position: 1, status: 403, message: 'no' }] }],
      },
    },
    'bad',
    'Run one: item 1: no (403)',
  ],
  [
    'would go on after an error chain',
    {
      ...{ status: 200, ok: true },
      json: { ...DRY, incidents: [{ kind: 'errorChain', errorChain: 'recover', after: failure }] },
    },
    'bad',
    'step: error chain recover ran after: gone (404)',
  ],
  ['succeeds', { status: 200, ok: true, json: DRY }, 'good', 'It would succeed.'],
])('a dry run that %s looks like it', async (_, response, className, text) => {
  const answer = await dryRun(response)
  expect(answer.className).toBe(className)
  expect(textsOf(answer)).toContain(text)
})
