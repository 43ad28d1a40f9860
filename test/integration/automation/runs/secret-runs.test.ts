import { Client, Connection } from '@temporalio/client'
import { pino } from 'pino'
import { afterAll, describe, expect, inject, test } from 'vitest'
import { createTestService } from '../../support/bad-input-support.js'
import { addUser } from '../../support/rest-client.js'

const KEY = 'a key of thirty-two characters!!'
const UI = 'http://temporal.example:8233'
const API = '/api/v1'
const SECRET = 'hunter-2-hunter'

/** Of an input or a result in clear. */
const READABLE = /ChainParameters.*variables|variables.*ChainParameters/

const connection = await Connection.connect({ address: inject('temporalAddress') })
const foreign = new Client({ connection })
afterAll(() => connection.close())

/** Two segments, and a child of its own, so that its state travels every way there is. */
const CHAIN = `
params:
- password: {type: string}
- token: {type: string}
operations:
- User.CreateOrUpdate: {username: secretive, password: 'expr:ChainParameters["password"]'}
- RunInNewTransaction: {id: noting}
- RunInNewTransaction: {id: parts}
- Log: {message: done}
`
const NOTING = '- Log: {message: noted}\n'
const PARTS = '- Log: {message: one}\n- RunInNewTransaction: {id: noting}\n- Log: {message: two}\n'

/** Everything that Temporal keeps of a run and of those below it, as whoever reaches it reads it. */
const keptOf = async (workflowId: string): Promise<string> => {
  const { events } = await foreign.workflow.getHandle(workflowId).fetchHistory()
  const description = await foreign.workflowService.describeWorkflowExecution({
    namespace: 'default',
    execution: { workflowId },
  })
  const text = JSON.stringify([events, description]).replaceAll(
    /"data":"([\w+/=]*)"/g,
    (_, data: string) => `"data":${Buffer.from(data, 'base64').toString('latin1')}`,
  )
  const children = (events ?? []).flatMap(
    (event) => event.childWorkflowExecutionStartedEventAttributes?.workflowExecution?.workflowId ?? [],
  )
  return [text, ...(await Promise.all(children.map(keptOf)))].join('\n')
}

const createService = async (environment: NodeJS.ProcessEnv) => {
  const service = await createTestService(environment)
  await service.deploy('noting', NOTING)
  await service.deploy('parts', PARTS)
  await service.deploy('secretive', CHAIN)
  const token = await service.call('PUT', `${API}/contributions/secretParameters/token`, { json: {} })
  expect(token.status, token.text).toBe(201)
  const run = async (): Promise<string> => {
    const params = { password: SECRET, token: `token-${SECRET}` }
    const answer = await service.call('POST', `${API}/automation/secretive`, { json: { params } })
    expect(answer.status, answer.text).toBeLessThan(300)
    return answer.headers.get('Archivolt-Workflow-Id') ?? ''
  }
  return { ...service, run }
}

describe('parameters that are secret', () => {
  test('reach their operation, and nobody who reads what Temporal keeps', async () => {
    const { call, run } = await createService({})
    const kept = await keptOf(await run())
    expect(READABLE.test(kept)).toBe(true)
    expect(kept.includes(SECRET)).toBe(false)
    const basic = `Basic ${Buffer.from(`secretive:${SECRET}`).toString('base64')}`
    const me = await call('GET', `${API}/me`, { user: null, headers: { Authorization: basic } })
    expect(me.status).toBe(200)
  })
})

/** Each gets a secret that is not of its type: by its own name, by another one, as a parameter of an operation. */
const MISTAKEN = {
  'pin-direct': 'params:\n- pin: {type: integer}\noperations:\n- Log: {message: never}\n',
  'pin-called': `
params:
- pin: {type: string}
operations:
- Log: {message: first}
- RunInNewTransaction:
    id: pin-direct
    parameters: {pin: 'expr:ChainParameters["pin"]'}
    rollbackGlobalOnError: true
`,
  'pin-renamed': `
params:
- pin: {type: string}
operations:
- number-taking: {number: 'expr:ChainParameters["pin"]'}
`,
  'pin-as-date': `
params:
- pin: {type: string}
operations:
- Pin.Take: {pin: 'expr:ChainParameters["pin"]'}
`,
}

describe('a secret that is not of its type', async () => {
  const lines: string[] = []
  const logger = pino({ level: 'trace' }, { write: (line) => void lines.push(line) })
  const { call, deploy } = await createTestService({}, logger)
  await deploy('number-taking', 'params:\n- number: {type: integer}\noperations:\n- Log: {message: never}\n')
  const script = { params: { pin: { type: 'date' } }, script: 'function run() {}' }
  for (const [point, json] of [
    ['secretParameters/pin', {}],
    ['scripts/Pin.Take', script],
  ] as const)
    expect((await call('PUT', `${API}/contributions/${point}`, { json })).status).toBe(201)
  for (const [id, yaml] of Object.entries(MISTAKEN)) await deploy(id, yaml)

  test('is the only one that is not quoted to its caller', async () => {
    for (const [chain, name, said] of [
      ['number-taking', 'number', '"1.5"'],
      ['pin-direct', 'pin', 'a text'],
    ] as const) {
      const answer = await call('POST', `${API}/automation/${chain}`, { json: { params: { [name]: '1.5' } } })
      const message = `Parameter ${name}: a whole number is expected, not ${said}`
      expect([answer.status, answer.json.message]).toEqual([400, message])
    }
  })

  test.each(Object.keys(MISTAKEN))('is in no message of %s: answer, history or log', async (id) => {
    const json = { params: { pin: SECRET } }
    const answer = await call('POST', `${API}/automation/${id}`, { json })
    expect(answer.status, answer.text).toBe(400)
    expect(answer.text).toMatch(/Parameter (pin|number): /)
    expect(answer.text).not.toContain(SECRET)
    const workflowId = answer.headers.get('Archivolt-Workflow-Id')
    // What is refused at once is no run.
    if (id !== 'pin-direct') expect(workflowId).not.toBeNull()
    if (workflowId) {
      const kept = await keptOf(workflowId)
      expect(kept).toMatch(/Parameter (pin|number): /)
      expect(kept).not.toContain(SECRET)
    }
    const requestId = answer.headers.get('X-Request-Id') ?? 'none'
    await expect.poll(() => lines.join('')).toContain(requestId)
    expect(lines.join('')).not.toContain(SECRET)
  })
})

describe('with a key of payloads', async () => {
  const { call, run, platform } = await createService({
    ARCHIVOLT_TEMPORAL_KEY: KEY,
    ARCHIVOLT_TEMPORAL_UI: UI,
  })
  await addUser(platform, 'ann')

  const startOf = async (workflowId: string) => {
    const { events } = await foreign.workflow.getHandle(workflowId).fetchHistory()
    const payload = events?.[0]?.workflowExecutionStartedEventAttributes?.input?.payloads?.[0]
    const base64 = (bytes: Uint8Array | null | undefined) => Buffer.from(bytes ?? []).toString('base64')
    return {
      metadata: Object.fromEntries(
        Object.entries(payload?.metadata ?? {}).map(([name, value]) => [name, base64(value)]),
      ),
      data: base64(payload?.data),
    }
  }

  test('nothing of a run is readable but its ids and attributes', async () => {
    const kept = await keptOf(await run())
    expect(READABLE.test(kept)).toBe(false)
    expect(kept.includes(SECRET)).toBe(false)
  })

  test('the Temporal UI shows it to administrators, without what is secret', async () => {
    const payload = await startOf(await run())
    const json = { payloads: [payload] }
    const shown = await call('POST', `${API}/codec/decode`, { json, headers: { Origin: UI } })
    expect(shown.status, shown.text).toBe(200)
    const text = Buffer.from(shown.json.payloads[0].data, 'base64').toString()
    expect(text).toContain('"principal":"Administrator"')
    expect(text).not.toContain(SECRET)
    expect(shown.headers.get('Access-Control-Allow-Origin')).toBe(UI)
    expect(shown.headers.get('Access-Control-Allow-Credentials')).toBe('true')
    const again = await call('POST', `${API}/codec/encode`, { json: shown.json })
    expect(again.status).toBe(200)
    expect(again.json.payloads[0].metadata.encoding).toBe(payload.metadata.encoding)
    expect((await call('POST', `${API}/codec/decode`, { json, user: 'ann' })).status).toBe(403)
    expect((await call('POST', `${API}/codec/decode`, { json, user: null })).status).toBe(401)
  })

  test('only the origin of the UI may ask for it', async () => {
    const preflight = (origin: string) =>
      call('OPTIONS', `${API}/codec/decode`, {
        user: null,
        headers: {
          Origin: origin,
          'Access-Control-Request-Method': 'POST',
          'Access-Control-Request-Headers': 'content-type,x-namespace',
        },
      })
    const allowed = await preflight(UI)
    expect(allowed.headers.get('Access-Control-Allow-Origin')).toBe(UI)
    expect(allowed.headers.get('Access-Control-Allow-Headers')).toMatch(/content-type/i)
    expect((await preflight('http://evil.example')).headers.get('Access-Control-Allow-Origin')).toBeNull()
  })

  test.each([
    [{}, /^payloads: /],
    [{ payloads: [{ data: '%' }] }, /^payloads\[0\]\.data: /],
    [
      {
        payloads: [
          {
            metadata: { encoding: 'YmluYXJ5L2VuY3J5cHRlZA==', 'encryption-key-id': 'eA==' },
            data: 'eA==',
          },
        ],
      },
      /^payloads: ARCHIVOLT_TEMPORAL_KEY has not the key x/,
    ],
  ])('%j is refused', async (json, message) => {
    const answer = await call('POST', `${API}/codec/decode`, { json })
    expect(answer.status).toBe(400)
    expect(answer.json.message).toMatch(message)
  })
})
