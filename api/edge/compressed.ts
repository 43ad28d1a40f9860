import type { MiddlewareHandler } from 'hono'
import { compress } from 'hono/compress'

/** Below it, compression costs more time than it saves. */
const MIN_BYTES = 1024

const squeeze = compress({ threshold: MIN_BYTES })

/** Answers of one piece have no length until the server sends them. */
const withLength = async (response: Response): Promise<Response> => {
  const body = await response.arrayBuffer()
  const measured = new Response(body, response)
  measured.headers.set('Content-Length', String(body.byteLength))
  return measured
}

/**
 * Compresses answers of 1 KiB and more for callers who accept it. Files stay as they are: their ranges, digests and
 * tags are those of their bytes.
 */
export const compressed: MiddlewareHandler = async (c, next) => {
  await next()
  if (c.req.header('Accept-Encoding') === undefined || c.req.method === 'HEAD') return
  const { headers } = c.res
  if (headers.has('Accept-Ranges')) return
  if (headers.get('Content-Type')?.startsWith('application/json') && !headers.has('Content-Length'))
    c.res = await withLength(c.res)
  await squeeze(c, async () => undefined)
}
