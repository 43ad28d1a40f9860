import { Readable } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { zipOf } from '../../../../core/platform/archives/index.js'
import { soon } from '../../../support/soon.js'
import { API, createWorkflowBench } from '../../support/workflow-support.js'

const bench = await createWorkflowBench({
  ARCHIVOLT_ESCALATION_SECONDS: '1',
  // Nothing is sent: the mail waits.
  ARCHIVOLT_SMTP_URL: 'smtp://127.0.0.1:9',
})
const { call, ok, start, workflow, file, deploy } = bench

const zipped = async (files: { [name: string]: string }): Promise<Uint8Array> => {
  const entries = Object.entries(files).map(([name, text]) => {
    const bytes = Buffer.from(text)
    return { name, length: bytes.length, open: async () => Readable.from([bytes]) }
  })
  const chunks: Uint8Array[] = []
  for await (const chunk of zipOf(entries)) chunks.push(chunk)
  return Buffer.concat(chunks)
}

describe('operators', () => {
  const model = (first: string) => `nodes:
  begin: { start: true, transitions: [{ name: go, targetId: ${first} }] }
  ${first}: { hasTask: true, taskAssigneesExpr: workflowInitiator, transitions: [{ name: go, targetId: end }] }
  end: { stop: true, title: new }
`

  test('find workflows that nobody follows, and have them followed again', async () => {
    const started = await start('SerialDocumentReview', [await file()])
    await bench.client.workflow.getHandle(`route/${started.id}`).terminate()
    const stuck = async () =>
      (await ok(call('GET', `${API}/workflowRun?stuck=true`))).entries.filter(
        ({ id }: { id: string }) => id === started.id,
      )
    await soon(async () => expect(await stuck()).toMatchObject([{ isFollowed: false, nodes: ['Task38e'] }]))
    await ok(call('POST', `${API}/workflowRun/${started.id}/retry`), 202)
    await bench.statusInTemporal(started.id, 'RUNNING')
    await soon(async () => expect(await stuck()).toEqual([]))
  })

  test('let a workflow go on by the newest model, where it can', async () => {
    await ok(deploy('routes', 'migrated', model('ask')), 201)
    const started = await start('migrated', [])
    const migrate = (query = '') => call('POST', `${API}/workflowRun/${started.id}/migrate${query}`)
    await ok(deploy('routes', 'migrated', model('other')), 200)
    const obstacles = [expect.stringContaining('it waits at ask')]
    expect(await ok(migrate('?dryRun=true'))).toMatchObject({ isDryRun: true, obstacles })
    expect((await migrate()).status).toBe(409)
    await ok(deploy('routes', 'migrated', `title: third\n${model('ask')}`), 200)
    expect(await ok(migrate())).toMatchObject({ obstacles: [] })
    expect(await workflow(started.id)).toMatchObject({ title: 'third', state: 'running' })
  })

  test('deploy a model that the reference platform has exported', async () => {
    const document = (type: string, name: string, more: string) =>
      `<document><system><type>${type}</type><path>m/${name}</path></system>${more}</document>`
    const node = (fields: string) =>
      `<schema xmlns:rnode="http://x/rnode" name="route_node">${fields}</schema>`
    const zip = await zipped({
      'exported/document.xml': document('DocumentRoute', 'exported', ''),
      'exported/a/document.xml': document(
        'RouteNode',
        'a',
        node('<rnode:start>true</rnode:start><rnode:stop>true</rnode:stop>'),
      ),
    })
    const headers = { 'Content-Type': 'application/zip' }
    const body = { body: zip, headers }
    expect(await ok(call('POST', `${API}/workflowModel`, body), 201)).toMatchObject({ name: 'exported' })
    expect(await start('exported', [])).toMatchObject({ state: 'done' })
    expect((await call('POST', `${API}/workflowModel`, { body: 'no', headers })).status).toBe(400)
  })
})
