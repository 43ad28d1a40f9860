import { expect, test } from 'vitest'
import { type HealthCheck, probe } from './health.js'

const up: HealthCheck = { name: 'database', isRequired: true, check: async () => {} }
const refused = Object.assign(new Error('connect ECONNREFUSED 10.0.0.1:5432'), { code: 'ECONNREFUSED' })
const failing = (name: string, isRequired: boolean): HealthCheck => ({
  name,
  isRequired,
  check: () => Promise.reject(refused),
})

test.each([
  ['all answer', [up], 'up'],
  ['one fails that work can be done without', [up, failing('temporal', false)], 'degraded'],
  ['a required one fails', [failing('temporal', false), failing('database', true)], 'down'],
  ['nothing is needed', [], 'up'],
])('%s', async (_, checks, state) => {
  expect((await probe(checks)).state).toBe(state)
})

test('a failure is reported by its code, without names of hosts', async () => {
  const { dependencies } = await probe([failing('database', true)])
  expect(dependencies).toEqual([
    { name: 'database', state: 'down', latencyMs: expect.any(Number), message: 'ECONNREFUSED' },
  ])
})

test('a status of gRPC is named as such', async () => {
  const check = () => Promise.reject(Object.assign(new Error('1 CANCELLED'), { code: 1 }))
  const { dependencies } = await probe([{ ...up, check }])
  expect(dependencies).toMatchObject([{ message: 'gRPC status 1' }])
})

test('one that never answers is down after two seconds', async () => {
  const { dependencies } = await probe([{ ...up, check: () => new Promise(() => {}) }])
  expect(dependencies[0]).toMatchObject({ state: 'down', message: 'failed' })
  expect(dependencies[0]?.latencyMs).toBeGreaterThan(1_900)
})
