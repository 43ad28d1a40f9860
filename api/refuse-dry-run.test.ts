import { Hono } from 'hono'
import { expect, test } from 'vitest'
import { isArchivoltError } from '../core/platform/errors/index.js'
import type { Environment } from './edge/index.js'
import { refuseDryRun } from './refuse-dry-run.js'
import { routeDocs } from './route-docs.js'

const app = new Hono<Environment>()
app.use(refuseDryRun(routeDocs({ hasEngine: true })))
app.all('*', (c) => c.text('done'))
app.onError((error, c) => c.text(isArchivoltError(error) ? error.message : String(error), 400))

test.each([
  ['POST', '/automation/Document.SetProperty?dryRun=true', 200],
  ['POST', '/automation/Document.SetProperty?dryrun=true', 400],
  ['POST', '/automation/Document.SetProperty/@async?dryRun=true', 400],
  ['POST', '/path/a/b/@op/Document.SetProperty?dryRun=true', 400],
  ['POST', '/upload/1/0/execute/FileManager.Import?dryRun=true', 400],
  ['POST', '/search/bulk/trash?query=x&dry-run=1', 400],
  ['PUT', '/contributions/chains/mine?dryRun=true', 200],
  ['PUT', '/contributions/chains/mine?dryrun=true', 400],
  ['DELETE', '/id/1?dryRun=true', 400],
  ['GET', '/id/1?dryRun=true', 200],
  ['PUT', '/automation/Document.SetProperty?dryRun=true', 200],
  ['POST', '/id/1?other=true', 200],
])('%s %s is %i', async (method, path, status) => {
  const answer = await app.request(`/api/v1${path}`, { method })
  expect(answer.status).toBe(status)
  if (status === 400) expect(await answer.text()).toMatch(/[Nn]othing was done$/)
})
