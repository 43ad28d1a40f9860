import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { uniqueName } from '../../support/template.js'
import { API, createWorkflowBench } from '../support/workflow-support.js'

const { call, ok, platform } = await createWorkflowBench()
const PLACE = `${API}/management/blobs/orphaned`

/** Starts a collection and waits for its end. */
const collect = async (query = '') => {
  const started = await ok(call('DELETE', `${PLACE}${query}`))
  expect(started).toMatchObject({ 'entity-type': 'blobCollection', state: 'RUNNING' })
  let status: { [name: string]: unknown } = {}
  await expect
    .poll(async () => {
      status = (await call('GET', PLACE)).json
      return status.state
    })
    .toBe('COMPLETED')
  return status
}

const age = (): Promise<unknown> => platform.database.sql`
  UPDATE blobs SET used_at = used_at - interval '100 days', unreferenced_at = unreferenced_at - interval '100 days'`

test('an administrator counts what nothing names, and then removes it', async () => {
  expect((await ok(call('GET', PLACE))).state).toBe('NONE')
  const stored = await platform.blobs.write(randomBytes(1_234))
  await age()
  expect(await collect()).toMatchObject({ numBinariesGC: 0, sizeBinariesGC: 0 })
  await age()
  const counted = await collect('?dryRun=true')
  expect(counted).toMatchObject({
    ...{ numBinariesGC: 1, sizeBinariesGC: 1_234, gcDuration: expect.any(Number) },
    ...{ startedAt: expect.any(String), closedAt: expect.any(String) },
  })
  expect(await platform.blobs.has(stored)).toBe(true)
  const { numBinaries, sizeBinaries } = counted
  expect(await collect()).toMatchObject({
    numBinaries,
    sizeBinaries,
    numBinariesGC: 1,
    sizeBinariesGC: 1_234,
  })
  expect(await platform.blobs.has(stored)).toBe(false)
})

test('one at a time, and for administrators alone', async () => {
  const answers = await Promise.all([1, 2, 3].map(() => call('DELETE', `${PLACE}?dryRun=true`)))
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409])
  const refused = answers.find(({ status }) => status === 409)
  expect(refused?.json.message).toContain('in progress')
  expect((await call('GET', PLACE, { user: 'ann' })).status).toBe(403)
  expect((await call('DELETE', PLACE, { user: 'ann' })).status).toBe(403)
  expect((await call('DELETE', `${PLACE}?dryRun=${uniqueName('x')}`)).status).toBe(400)
})
