import { expect, test } from 'vitest'
import { AUTOMATION, createRunsBench } from '../../support/runs-support.js'

const { call, deploy, start, engine } = await createRunsBench()

const REQUESTS = 'http_request_duration_seconds_count'
const ask = (params: object, user: string | null = 'Administrator') =>
  call('POST', `${AUTOMATION}/Counters.GET`, { user, json: { params } })

test('Counters.GET gives values, what each adds and the speed, as a file', async () => {
  const before = Date.now()
  await call('GET', '/api/v1/path/')
  await engine.runtime.counters.sample()
  const after = Date.now()
  for (let count = 0; count < 3; count++) await call('GET', '/api/v1/path/')
  // Later than the sample by the clock.
  while (Date.now() <= after) await call('GET', '/api/v1/path/')
  const answer = await ask({ counterNames: [REQUESTS, 'process_cpu_seconds_total', 'no.such.counter'] })
  expect(answer.status, answer.text).toBe(200)
  expect(answer.headers.get('Content-Type')).toContain('application/json')
  expect(Object.keys(answer.json)).toEqual([REQUESTS, 'process_cpu_seconds_total', 'no.such.counter'])
  const { values, deltas, speed } = answer.json[REQUESTS]
  const [[sampled, first], [now, last]] = values
  expect(values).toHaveLength(2)
  expect(sampled).toBeGreaterThanOrEqual(before)
  expect(now).toBeGreaterThan(sampled)
  expect(last - first).toBeGreaterThanOrEqual(3)
  expect(deltas).toEqual([[now, last - first]])
  expect(speed).toBeCloseTo(((last - first) * 1000) / (now - sampled))
  expect(answer.json.process_cpu_seconds_total.values[1][1]).toBeGreaterThan(0)
  expect(answer.json['no.such.counter']).toEqual({ values: [], deltas: [], speed: 0 })
})

test.each<[unknown, string[]]>([
  [`${REQUESTS}, other`, [REQUESTS, 'other']],
  [['nodejs_eventloop_lag_seconds'], ['nodejs_eventloop_lag_seconds']],
])('takes %j as names', async (counterNames, names) => {
  const { status, json } = await ask({ counterNames })
  expect([status, Object.keys(json)]).toEqual([200, names])
})

test.each([{}, { counterNames: null }, { counterNames: { a: 1 } }])('refuses %j', async (params) => {
  const { status, json } = await ask(params)
  expect([status, json['entity-type']]).toEqual([400, 'exception'])
  expect(json.message).toContain('counterNames')
})

test('is for administrators, and for whoever runs a chain that they deployed', async () => {
  const params = { counterNames: [REQUESTS] }
  expect((await ask(params, 'ann')).status).toBe(404)
  expect((await ask(params, null)).status).toBe(401)
  await deploy('counted', `execution: inline\noperations:\n- Counters.GET: {counterNames: ${REQUESTS}}\n`)
  const { status, json } = await start('counted', { user: 'ann' })
  expect([status, json[REQUESTS].values.at(-1)[1]]).toEqual([200, expect.any(Number)])
})
