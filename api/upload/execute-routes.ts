import { Hono } from 'hono'
import type { Value } from '../../core/automation/language/index.js'
import type { FilePlace, Uploads } from '../../core/files/uploads/index.js'
import { dropLater } from '../consumed-uploads/index.js'
import { API, type Environment, type RequestContext } from '../edge/index.js'
import { parseInput } from '../parse/index.js'
import { readJson } from '../rest/index.js'
import { fileIndex } from './entities.js'
import { olderCall } from './upload.schema.js'

type ExecuteDependencies = {
  uploads: Uploads
  maxJsonBytes: number
  /** Calls an operation with an input; a body that is not given is read from the request. */
  callOn(c: RequestContext, id: string, input: Value, body?: object): Promise<Response>
}

/** Operations on uploads: the input is the batch, or one file of it (blobs-conversions.md §1). */
export const createExecuteRoutes = ({
  uploads,
  maxJsonBytes,
  callOn,
}: ExecuteDependencies): Hono<Environment> => {
  const app = new Hono<Environment>()

  const inputOf = async ({
    owner,
    batch,
    index,
  }: Omit<FilePlace, 'index'> & { index: string | undefined }): Promise<Value | undefined> => {
    if (index === undefined) {
      const blobs = await uploads.blobs({ owner, batch })
      return blobs && { type: 'blobs', blobs }
    }
    const known = fileIndex(index)
    const blob = known === undefined ? undefined : await uploads.blob({ owner, batch, index: known })
    return blob && { type: 'blob', blob }
  }

  const execute = async (
    c: RequestContext,
    {
      batch,
      index,
      operation,
      body,
    }: { batch: string; index?: string | undefined; operation: string; body?: object },
  ): Promise<Response> => {
    const input = await inputOf({ owner: c.get('principal'), batch, index })
    if (!input) return c.body(null, 404)
    dropLater(c, batch, 'failure')
    return callOn(c, operation, input, body)
  }

  app.post(`${API}/upload/:batch/execute/:operation`, (c) =>
    execute(c, { batch: c.req.param('batch'), operation: c.req.param('operation') }),
  )

  app.post(`${API}/upload/:batch/:file/execute/:operation`, (c) => {
    const { batch, file, operation } = c.req.param()
    return execute(c, { batch, index: file, operation })
  })

  app.post(`${API}/automation/batch/execute`, async (c) => {
    const { params, ...rest } = parseInput(olderCall, await readJson(c, maxJsonBytes))
    const { operationId, batchId, fileIdx, ...others } = params
    const index = fileIdx ?? undefined
    const body = { ...rest, params: others }
    return execute(c, { batch: batchId, index, operation: operationId, body })
  })

  return app
}
