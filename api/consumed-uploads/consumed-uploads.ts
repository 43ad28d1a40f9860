import type { MiddlewareHandler } from 'hono'
import type { Uploads } from '../../core/files/uploads/index.js'
import type { BlobSource, BlobValue } from '../../core/model/properties/index.js'
import { fail } from '../../core/platform/errors/index.js'
import type { Environment, RequestContext } from '../edge/index.js'
import { IDEMPOTENCY_KEY } from '../idempotency/index.js'

/**
 * Removes a batch at the end of the request, which uses it.
 *
 * @param on `failure`: also when what the request asks for fails.
 */
export const dropLater = (c: RequestContext, batch: string, on?: 'failure'): void => {
  const batches = c.get('consumedBatches') ?? new Map<string, boolean>()
  c.set('consumedBatches', batches.set(batch, on === 'failure'))
}

/** A request that is wrong itself has used nothing, and can be corrected. */
const WRONG_REQUEST: ReadonlySet<number> = new Set([400, 413, 415])

/**
 * The file of a batch that a request names by `upload-batch` and `upload-fileId`; its batch is used up by the request.
 *
 * @param field where it is named.
 * @throws badRequest naming the field when the caller has no such batch, or no complete file in it.
 */
export const consumeUpload = async (
  c: RequestContext,
  uploads: Uploads,
  { batch, file, field }: Omit<Extract<BlobSource, { kind: 'upload' }>, 'kind'> & { field: string },
): Promise<BlobValue> => {
  const owner = c.get('principal')
  const blob = /^\d{1,9}$/.test(file)
    ? await uploads.blob({ owner, batch, index: String(Number(file)) })
    : undefined
  if (blob) {
    dropLater(c, batch)
    return blob
  }
  const isThere = await uploads.batch({ owner, batch })
  throw fail(
    'badRequest',
    isThere
      ? `${field}: the upload batch '${batch}' has no complete file '${file}'`
      : `${field}: there is no upload batch '${batch}'`,
  )
}

/**
 * Removes the batches that a request has used, unless it says otherwise. One of a request with an idempotency key stays
 * for a while: the same request, sent again, finds its input.
 */
export const dropConsumed =
  (uploads: Uploads): MiddlewareHandler<Environment> =>
  async (c, next) => {
    await next()
    const batches = c.get('consumedBatches')
    if (!batches || c.req.header('X-Batch-No-Drop')?.toLowerCase() === 'true') return
    const releases = c.req.header(IDEMPOTENCY_KEY) !== undefined
    const { status } = c.res
    for (const [batch, alsoOnFailure] of batches)
      if (status < 400 || (alsoOnFailure && !WRONG_REQUEST.has(status)))
        await uploads.remove({ owner: c.get('principal'), batch }, { releases })
  }
