import { expect, test } from 'vitest'
import { SYSTEM } from '../../../core/access/security/index.js'
import type { ChainDefinition } from '../../../core/automation/language/index.js'
import { createDocument, getDocument } from '../../../core/content/documents/index.js'
import { createWorkflowRuns } from '../../../engine/index.js'
import { withArchive } from '../../support/archive.js'
import { createTestAutomation } from '../../support/automation.js'

const { platform, settings, client, registry, define } = await createTestAutomation(withArchive())
const archive = platform.repositories.get('archive')!
const principal = (await platform.authenticator.principal('Administrator'))!

const retitle: ChainDefinition = {
  id: 'retitle',
  aliases: [],
  params: [],
  steps: [{ operation: 'Document.SetProperty', params: { xpath: 'dc:title', value: 'by a run' } }],
}
const retitleAll: ChainDefinition = {
  id: 'retitleAll',
  aliases: [],
  params: [],
  steps: [
    { operation: 'Context.SetInputAsVar', params: { name: 'all' } },
    { operation: 'RunOperationOnListInNewTx', params: { id: 'retitle', list: 'all' } },
  ],
}
define(retitle)
define(retitleAll)

test('a run acts on the repository that it was started on, in loops too', async () => {
  const runs = createWorkflowRuns({
    client,
    taskQueue: settings.temporal.taskQueue,
    units: archive.units,
    repository: 'archive',
  })
  const made = await archive.withSession(SYSTEM, async (session) => [
    await createDocument(session, { parent: '/default-domain/workspaces', name: 'a', type: 'File' }),
    await createDocument(session, { parent: '/default-domain/workspaces', name: 'b', type: 'File' }),
  ])
  const workflowId = await runs.start({
    chain: retitleAll,
    registry: registry(),
    request: { input: { type: 'documents', ids: made.map(({ id }) => id) }, params: {}, variables: {} },
    principal,
    requestId: 'test',
  })
  await runs.result(workflowId, principal)
  const session = archive.readSession(SYSTEM)
  for (const { id } of made) expect((await getDocument(session, id)).properties['dc:title']).toBe('by a run')
  const [left] = await platform.database.sql`SELECT count(*)::int AS count FROM receipts`
  expect(left).toEqual({ count: 0 })
})
