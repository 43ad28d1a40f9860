import { expect, test } from 'vitest'
import { fail } from '../../../platform/errors/index.js'
import { type Incident, KEPT_MESSAGE } from '../../language/index.js'
import { briefly, createIncidentLog, failureIncident, incidentInput, isKept } from './incidents.js'

const FAILURE = { code: 'badRequest', status: 400, message: 'No' } as const
const passed = (target: string): Incident => ({
  kind: 'passedOver',
  operation: 'Test.Write',
  target,
  input: { type: 'void' },
  failure: FAILURE,
})
const chain = (name: string): Incident =>
  ({
    kind: 'errorChain',
    errorChain: name,
    after: FAILURE,
    outcome: 'completed',
  }) as Incident

test('a log keeps what an attempt reports, until it is done again', () => {
  const log = createIncidentLog()
  expect(log.all()).toEqual([])
  log.report(passed('a'))
  log.report(passed('b'))
  expect(log.all()).toEqual([passed('a'), passed('b')])
  log.clear()
  expect(log.all()).toEqual([])
})

test('beyond a hundred, the last one is kept and the others are counted', () => {
  const log = createIncidentLog()
  for (let index = 0; index < 100; index++) log.report(passed(`${index}`))
  expect(log.all()).toHaveLength(100)
  expect(log.all().some((incident) => 'omitted' in incident)).toBe(false)
  log.report(passed('100'))
  log.report(passed('101'))
  const all = log.all()
  expect(all).toHaveLength(100)
  expect(all[98]).toEqual(passed('98'))
  expect(all[99]).toEqual({ ...passed('101'), omitted: 2 })
  log.clear()
  log.report(passed('again'))
  expect(log.all()).toEqual([passed('again')])
})

test('the last error chain may end the run, and nothing else does', () => {
  const log = createIncidentLog()
  log.endRun()
  expect(log.all()).toEqual([])
  log.report(passed('a'))
  log.endRun()
  expect(log.all()).toEqual([passed('a')])
  log.report(chain('first'))
  log.report(chain('last'))
  log.endRun()
  expect(log.all()).toEqual([passed('a'), chain('first'), { ...chain('last'), endsRun: true }])
})

test('a record has the beginning of a message, and nothing else of a failure', () => {
  const failure = { ...FAILURE, message: 'm'.repeat(KEPT_MESSAGE + 1), stack: 'secret' }
  expect(briefly(failure)).toEqual({ ...FAILURE, message: 'm'.repeat(KEPT_MESSAGE) })
})

test('what it was done to is named by what identifies it', () => {
  const blob = { name: null, digest: 'd', digestAlgorithm: 'MD5', length: 1, mimeType: null, encoding: null }
  expect(incidentInput({ type: 'document', id: 'one' })).toEqual({ type: 'document', documentId: 'one' })
  expect(incidentInput({ type: 'blob', blob: { ...blob, name: 'a.txt' } } as never)).toEqual({
    type: 'blob',
    name: 'a.txt',
  })
  expect(incidentInput({ type: 'blob', blob } as never)).toEqual({ type: 'blob', name: '' })
  expect(incidentInput({ type: 'string', value: 'secret' })).toEqual({ type: 'string' })
})

test('a failure that a step passes over names step, target and input', () => {
  const call = { step: { operation: 'Test.Each', params: {} }, target: 'Test.Write' }
  expect(failureIncident(call, { input: { type: 'document', id: 'one' }, failure: FAILURE })).toEqual({
    kind: 'passedOver',
    operation: 'Test.Each',
    target: 'Test.Write',
    input: { type: 'document', documentId: 'one' },
    failure: FAILURE,
  })
})

test('incidents of a failed transaction are kept where there are some and nothing comes again', () => {
  const log = createIncidentLog()
  expect(isKept(log, fail('badRequest', 'No'))).toBe(false)
  log.report(passed('a'))
  expect(isKept(log, fail('badRequest', 'No'))).toBe(true)
  expect(isKept(log, new Error('lost'))).toBe(false)
})
