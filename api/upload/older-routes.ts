import { Hono } from 'hono'
import type { Uploads } from '../../core/files/uploads/index.js'
import { fail } from '../../core/platform/errors/index.js'
import type { Platform } from '../../runtime/index.js'
import { refuseForeignChange } from '../cross-origin/index.js'
import type { Environment } from '../edge/index.js'
import { answer, fileIndex } from './entities.js'
import { readUpload } from './read-upload.js'

/** Batches as clients of release 7.4 and before send them, under an id that they have made up. */
export const createOlderRoutes = (
  platform: Pick<Platform, 'settings' | 'snapshot'>,
  uploads: Uploads,
): Hono<Environment> => {
  const app = new Hono<Environment>()

  app.post('/upload', async (c) => {
    const owner = c.get('principal')
    const batch = c.req.header('X-Batch-Id')?.trim() ?? ''
    const written = c.req.header('X-File-Idx')?.trim() ?? '0'
    const index = fileIndex(written)
    if (batch === '') throw fail('badRequest', 'X-Batch-Id: the id of the batch is missing')
    if (index === undefined) throw fail('badRequest', `X-File-Idx: '${written}' is not a number`)
    const { file } = readUpload(c)
    await uploads.create(owner, { id: batch })
    await uploads.addFile({ owner, batch, index }, file)
    return answer(c, { batchId: batch, uploaded: 'true' })
  })

  app.get('/files/:batch', async (c) => {
    const batch = await uploads.batch({ owner: c.get('principal'), batch: c.req.param('batch') })
    return answer(
      c,
      (batch?.files ?? []).map(({ name, size }) => ({ name, size })),
    )
  })

  app.get('/drop/:batch', async (c) => {
    // A GET that changes something: no page of another site may send it.
    refuseForeignChange(c, platform)
    const batch = c.req.param('batch')
    await uploads.remove({ owner: c.get('principal'), batch })
    return answer(c, { batchId: batch, dropped: 'true' })
  })

  return app
}
