import { Client, Connection, WorkflowNotFoundError } from '@temporalio/client'
import { msToTs } from '@temporalio/common/lib/time.js'
import { afterAll, expect, inject, test } from 'vitest'
import { soon } from '../../support/soon.js'
import { uniqueName } from '../../support/template.js'
import { createTestService } from '../support/bad-input-support.js'

const API = '/api/v1'

const connection = await Connection.connect({ address: inject('temporalAddress') })
afterAll(() => connection.close())

const namespace = uniqueName('namespace')
await connection.workflowService.registerNamespace({
  namespace,
  // The shortest that Temporal takes: a day.
  workflowExecutionRetentionPeriod: msToTs('1 day'),
})
const searchable = async (): Promise<void> => {
  await connection.operatorService.listSearchAttributes({ namespace })
  await connection.workflowService.countWorkflowExecutions({ namespace })
}
// Temporal's services learn of a namespace one after the other.
await soon(searchable)

const { call, deploy } = await createTestService({ TEMPORAL_NAMESPACE: namespace })

const stateIn = async (name: string, workflowId: string): Promise<string> => {
  const { workflow } = new Client({ connection, namespace: name })
  return (await workflow.getHandle(workflowId).describe()).status.name
}

test('a run is started, done and listed in the namespace of the setting, and in no other', async () => {
  await deploy('placed', '- Log: {message: placed}\n')
  const start = () => call('POST', `${API}/automation/placed`, { json: {} })
  let answer = await start()
  // The attributes of a new namespace take some seconds until runs may have them.
  await expect
    .poll(async () => {
      if (answer.status >= 500) answer = await start()
      return answer.status
    })
    .toBeLessThan(300)
  const workflowId = answer.headers.get('Archivolt-Workflow-Id') ?? ''
  expect(await stateIn(namespace, workflowId)).toBe('COMPLETED')
  await expect(stateIn('default', workflowId)).rejects.toThrow(WorkflowNotFoundError)
  const listed = async () => {
    const { json } = await call('GET', `${API}/automation/runs`)
    return JSON.stringify(json)
  }
  await expect.poll(listed).toContain(workflowId)
})
