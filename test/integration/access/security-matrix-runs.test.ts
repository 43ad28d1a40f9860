import { describe, expect, test } from 'vitest'
import { uniqueName } from '../../support/template.js'
import {
  AUTOMATION,
  createSecurityBench,
  expectUndisclosed,
  grant,
  NOBODY_ELSE,
  type User,
} from '../support/security-support.js'

const { call, fresh, protect } = await createSecurityBench()

describe('runs', () => {
  const asyncRun = async (user: User): Promise<string> => {
    const document = await fresh()
    const answer = await call('POST', `${AUTOMATION}/retitle/@async`, { user, json: { input: document.uid } })
    expect(answer.status, answer.text).toBe(202)
    return answer.headers.get('Archivolt-Workflow-Id') ?? ''
  }
  const routesOf = (id: string): [string, string][] => [
    ['GET', `${AUTOMATION}/retitle/@async/${id}/status`],
    ['GET', `${AUTOMATION}/retitle/@async/${id}`],
    ['GET', `${AUTOMATION}/runs/${id}`],
    ['GET', `${AUTOMATION}/runs/${id}/items`],
    ['DELETE', `${AUTOMATION}/retitle/@async/${id}`],
    ['DELETE', `${AUTOMATION}/runs/${id}`],
    ['POST', `${AUTOMATION}/runs/${id}/retry`],
    ['POST', `${AUTOMATION}/runs/${id}/items/retry`],
  ]

  test("are their caller's and the administrators'", async () => {
    const id = await asyncRun('writer')
    for (const [method, path] of routesOf(id)) {
      const answer = await call(method, path, { user: 'boss' })
      expect([answer.status, answer.json.message]).toEqual([404, `There is no run '${id}'`])
    }
    expect((await call('GET', `${AUTOMATION}/runs/${id}`, { user: 'writer' })).status).toBe(200)
    expect((await call('GET', `${AUTOMATION}/runs/${id}`)).status).toBe(200)
  })

  test("are not started, found or answered by a key of somebody else's", async () => {
    const document = await fresh()
    const headers = { 'Idempotency-Key': uniqueName('key') }
    for (const operation of ['retitle', 'Document.FollowLifecycleTransition']) {
      const json = { input: document.uid, params: { value: 'approve' } }
      const mine = await call('POST', `${AUTOMATION}/${operation}`, { user: 'writer', headers, json })
      const again = await call('POST', `${AUTOMATION}/${operation}`, { user: 'writer', headers, json })
      expect([mine.status, again.status]).toEqual([200, 200])
      const read = await call('POST', `${AUTOMATION}/${operation}`, { user: 'reader', headers, json })
      const hidden = await call('POST', `${AUTOMATION}/${operation}`, { user: 'stranger', headers, json })
      expect([read.status, hidden.status]).toEqual([403, 404])
      const other = await call('POST', `${AUTOMATION}/${operation}`, {
        user: 'writer',
        headers,
        json: { ...json, context: { a: 1 } },
      })
      expect([other.status, other.json.message]).toEqual([409, expect.stringContaining('Idempotency-Key')])
    }
  })

  test('answer a repeated key with the rights of now', async () => {
    const document = await fresh()
    const headers = { 'Idempotency-Key': uniqueName('key') }
    const json = { input: document.uid, params: { value: 'approve' } }
    const path = `${AUTOMATION}/Document.FollowLifecycleTransition`
    expect((await call('POST', path, { user: 'writer', headers, json })).status).toBe(200)
    await protect(document.path, [grant('boss', 'Everything'), NOBODY_ELSE])
    const after = await call('POST', path, { user: 'writer', headers, json })
    expect(after.status).toBe(404)
    expectUndisclosed(after)
  })
})

test("a conversion is its caller's", async () => {
  const document = await fresh()
  for (const user of ['stranger'] as const) {
    const refused = await call('POST', `/api/v1/id/${document.uid}/@convert?type=text/plain&async=true`, {
      user,
    })
    expect(refused.status).toBe(404)
  }
  const asked = await call('POST', `/api/v1/id/${document.uid}/@convert?type=text/html&async=true`, {
    user: 'reader',
  })
  expect(asked.status).toBe(202)
  const id = asked.json.conversionId
  for (const root of ['conversion', 'conversions'])
    for (const what of ['poll', 'result']) {
      const answer = await call('GET', `/api/v1/${root}/${id}/${what}`, { user: 'writer' })
      expect([answer.status, answer.json.message]).toEqual([404, `Conversion ${id} does not exist`])
    }
  for (const path of [`${AUTOMATION}/runs/conversion-${id}`, `${AUTOMATION}/x/@async/conversion-${id}`])
    expect((await call('GET', path, { user: 'reader' })).status).toBe(404)
  expect([200, 404]).toContain(
    (await call('GET', `/api/v1/conversions/${id}/poll`, { user: 'reader' })).status,
  )
})
