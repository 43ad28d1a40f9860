import { expect, test } from 'vitest'
import { withArchive } from '../../../support/archive.js'
import { createTestService } from '../../support/bad-input-support.js'

const { call, deploy } = await createTestService(withArchive())

test('Traces.Get reports the inline runs of the repository that it is asked on', async () => {
  await deploy('noted', 'execution: inline\noperations:\n- Log: {message: noted}\n')
  const ask = async (root: string, operation: string, params: object = {}) => {
    const answer = await call('POST', `${root}/automation/${operation}`, { json: { params } })
    expect([200, 204], answer.text).toContain(answer.status)
    return answer
  }
  await ask('/api/v1', 'Traces.ToggleRecording', { enableTrace: true })
  const run = await ask('/api/v1/repo/archive', 'noted')
  const reported = await ask('/api/v1/repo/archive', 'Traces.Get', { traceKey: 'noted' })
  expect(reported.json.value).toContain(`Run: ${run.headers.get('Archivolt-Workflow-Id')}\n`)
  expect((await ask('/api/v1', 'Traces.Get', { traceKey: 'noted' })).status).toBe(204)
})
