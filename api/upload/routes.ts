import { Hono } from 'hono'
import type { z } from 'zod'
import type { FilePlace } from '../../core/files/uploads/index.js'
import type { BlobValue } from '../../core/model/properties/index.js'
import { fail } from '../../core/platform/errors/index.js'
import type { Platform } from '../../runtime/index.js'
import { API, type Environment, type RequestContext } from '../edge/index.js'
import { parseInput } from '../parse/index.js'
import { readJson } from '../rest/index.js'
import { answer, batchEntity, fileEntity, fileIndex, uploadedEntity } from './entities.js'
import { createOlderRoutes } from './older-routes.js'
import { createProgress, wantsEvents } from './progress.js'
import { readUpload } from './read-upload.js'
import { completion } from './upload.schema.js'

/** An unknown batch, or a file that it does not have: clients ask for it, and expect no body. */
const missing = (c: RequestContext): Response => c.body(null, 404)

/** Whether a stored file is the one that its client has sent. */
const fits = (blob: BlobValue, { fileSize, md5, mimeType }: z.output<typeof completion>): boolean =>
  blob.length === Number(fileSize) &&
  blob.digest === md5.toLowerCase() &&
  (mimeType ?? blob['mime-type']) === blob['mime-type']

/** Files of a batch: all of them are listed at once. */
const MAX_FILES = 10_000

/** Batches of uploads in chunks that can be resumed (blobs-conversions.md §1). */
export const createUploadRoutes = (platform: Platform): Hono<Environment> => {
  const routes = new Hono<Environment>()
  const app = new Hono<Environment>()

  const { uploads, settings } = platform
  const progress = createProgress(platform)

  const batchIn = (c: RequestContext) => ({ owner: c.get('principal'), batch: c.req.param('batch') ?? '' })

  const withFile =
    (handle: (c: RequestContext, place: FilePlace) => Promise<Response>) =>
    async (c: RequestContext): Promise<Response> => {
      const index = fileIndex(c.req.param('file') ?? '')
      if (index === undefined) return c.text(`fileIdx: '${c.req.param('file')}' is not a number`, 400)
      if (Number(index) >= MAX_FILES)
        return c.text(`fileIdx: a batch has at most ${MAX_FILES} files, numbered from 0`, 400)
      return handle(c, { ...batchIn(c), index })
    }

  app.post('/', async (c) => answer(c, { batchId: await uploads.create(c.get('principal')) }, 201))

  app.post('/new/:handler', async (c) => {
    const handler = c.req.param('handler')
    const batch = await uploads.create(c.get('principal'), { handler })
    return answer(c, batchEntity({ id: batch, handler, files: [] }))
  })

  app.get('/handlers', (c) => answer(c, { handlers: uploads.handlers().map((name) => ({ name })) }))

  app.get('/handlers/:handler', (c) => {
    const name = c.req.param('handler')
    return uploads.handlers().includes(name) ? answer(c, { name }) : missing(c)
  })

  app.get('/:batch', async (c) => {
    if (wantsEvents(c)) return (await uploads.exists(batchIn(c))) ? progress(c, batchIn(c)) : missing(c)
    const batch = await uploads.batch(batchIn(c))
    if (!batch) return missing(c)
    return batch.files.length === 0 ? c.body(null, 204) : answer(c, batch.files.map(fileEntity))
  })

  app.delete('/:batch', async (c) => ((await uploads.remove(batchIn(c))) ? c.body(null, 204) : missing(c)))

  app.get('/:batch/info', async (c) => {
    const batch = await uploads.batch(batchIn(c))
    return batch ? answer(c, batchEntity(batch)) : missing(c)
  })

  app.post('/:batch/refreshToken', async (c) => {
    if (!(await uploads.batch(batchIn(c)))) return missing(c)
    throw fail('notSupported', 'The upload handler gives out no tokens')
  })

  app.post(
    '/:batch/:file',
    withFile(async (c, place) => {
      const { file, chunk, length } = readUpload(c)
      const uploaded = chunk
        ? await uploads.addChunk(place, { ...file, ...chunk })
        : await uploads.addFile(place, file)
      if (!uploaded) return missing(c)
      const entity = uploadedEntity(uploaded, { batch: place.batch, length })
      return answer(c, entity, uploaded.isComplete ? 201 : 202)
    }),
  )

  app.get(
    '/:batch/:file',
    withFile(async (c, place) => {
      const file = await uploads.file(place)
      if (!file) return missing(c)
      return answer(c, fileEntity(file), file.isComplete ? 200 : 202)
    }),
  )

  app.delete(
    '/:batch/:file',
    withFile(async (c, place) => ((await uploads.removeFile(place)) ? c.body(null, 204) : missing(c))),
  )

  app.post(
    '/:batch/:file/complete',
    withFile(async (c, place) => {
      const said = parseInput(completion, await readJson(c, settings.http.maxJsonBytes))
      const blob = await uploads.blob(place)
      if (!blob) return (await uploads.file(place)) ? c.body(null, 409) : missing(c)
      if (!fits(blob, said)) return c.body(null, 409)
      return answer(c, { uploaded: 'true', batchId: place.batch, fileIdx: place.index })
    }),
  )

  routes.route(`${API}/upload`, app)
  routes.route(`${API}/automation/batch`, createOlderRoutes(platform, uploads))
  return routes
}
