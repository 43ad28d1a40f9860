import { createHash, randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

type Upload = { key: string; parts: Map<number, Buffer>; initiated: Date }

export type S3Server = {
  endpoint: string
  /** Ends the connection of each request for which it is true, in the middle of the answer. */
  cut: (request: { method: string; path: string }) => boolean
  uploads: ReadonlyMap<string, Upload>
  close(): Promise<void>
}

const xml = (body: string): string => `<?xml version="1.0" encoding="UTF-8"?>\n${body}`

const errorXml = (code: string): string =>
  xml(`<Error><Code>${code}</Code><Message>${code}</Message></Error>`)

const etagOf = (bytes: Buffer): string => `"${createHash('md5').update(bytes).digest('hex')}"`

const rangeOf = (header: string | undefined, length: number): { start: number; end: number } | undefined => {
  const [, start, end] = /^bytes=(\d+)-(\d+)$/.exec(header ?? '') ?? []
  return start === undefined ? undefined : { start: Number(start), end: Math.min(Number(end), length - 1) }
}

/**
 * As much of S3's protocol as the store of blobs speaks, in memory: where a real server is at hand, the same tests run
 * on that as well.
 */
export const startS3Server = async (): Promise<S3Server> => {
  const objects = new Map<string, Buffer>()
  const uploads = new Map<string, Upload>()

  const listing = (query: URLSearchParams): string => {
    const keys = [...objects.keys()].filter((key) => key.startsWith(query.get('prefix') ?? '')).sort()
    const from = keys.findIndex((key) => key > (query.get('continuation-token') ?? ''))
    const page = from < 0 ? [] : keys.slice(from, from + 2)
    const isTruncated = from >= 0 && from + page.length < keys.length
    const contents = page.map(
      (key) => `<Contents><Key>${key}</Key><Size>${objects.get(key)!.length}</Size></Contents>`,
    )
    const next = isTruncated ? `<NextContinuationToken>${page.at(-1)}</NextContinuationToken>` : ''
    return xml(
      `<ListBucketResult><IsTruncated>${isTruncated}</IsTruncated>${next}${contents.join('')}</ListBucketResult>`,
    )
  }

  const pending = (): string =>
    xml(
      `<ListMultipartUploadsResult>${[...uploads]
        .map(
          ([id, { key, initiated }]) =>
            `<Upload><Key>${key}</Key><UploadId>${id}</UploadId><Initiated>${initiated.toISOString()}</Initiated></Upload>`,
        )
        .join('')}</ListMultipartUploadsResult>`,
    )

  const get = (request: IncomingMessage, response: ServerResponse, key: string): void => {
    const bytes = objects.get(key)
    if (!bytes)
      return void response.writeHead(404).end(request.method === 'HEAD' ? '' : errorXml('NoSuchKey'))
    const range = rangeOf(request.headers.range, bytes.length)
    if (range && range.start >= bytes.length)
      return void response.writeHead(416).end(errorXml('InvalidRange'))
    const body = range ? bytes.subarray(range.start, range.end + 1) : bytes
    response.writeHead(range ? 206 : 200, {
      'Content-Length': body.length,
      ETag: etagOf(bytes),
      ...(range && { 'Content-Range': `bytes ${range.start}-${range.end}/${bytes.length}` }),
    })
    response.end(request.method === 'HEAD' ? undefined : body)
  }

  const complete = (id: string): string => {
    const { key, parts } = uploads.get(id)!
    const bytes = Buffer.concat([...parts].sort(([a], [b]) => a - b).map(([, part]) => part))
    objects.set(key, bytes)
    uploads.delete(id)
    return xml(`<CompleteMultipartUploadResult><ETag>${etagOf(bytes)}</ETag></CompleteMultipartUploadResult>`)
  }

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { pathname, searchParams: query } = new URL(request.url ?? '/', 'http://server')
    const key = decodeURIComponent(pathname.split('/').slice(2).join('/'))
    const body = await buffer(request)
    const id = query.get('uploadId')
    if (request.method === 'POST' && query.has('uploads')) {
      const created = randomUUID()
      uploads.set(created, { key, parts: new Map(), initiated: new Date() })
      response.end(
        xml(`<InitiateMultipartUploadResult><UploadId>${created}</UploadId></InitiateMultipartUploadResult>`),
      )
      return
    }
    if (id !== null && !uploads.has(id)) return void response.writeHead(404).end(errorXml('NoSuchUpload'))
    if (request.method === 'PUT') {
      if (id !== null) uploads.get(id)!.parts.set(Number(query.get('partNumber')), body)
      else objects.set(key, body)
      response.writeHead(200, { ETag: etagOf(body) }).end()
    } else if (request.method === 'POST') response.end(complete(id!))
    else if (request.method === 'DELETE') {
      if (id !== null) uploads.delete(id)
      else objects.delete(key)
      response.writeHead(204).end()
    } else if (query.has('uploads')) response.end(pending())
    else if (query.get('list-type') === '2') response.end(listing(query))
    else get(request, response, key)
  }

  const server = createServer((request, response) => {
    const path = request.url ?? '/'
    if (running.cut({ method: request.method ?? '', path })) {
      request.resume()
      request.on('end', () => request.socket.destroy())
      return
    }
    // The client has ended the connection within its request.
    answer(request, response).catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const running: S3Server = {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut: () => false,
    uploads,
    close: () => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
  return running
}
