import type { Readable } from 'node:stream'
import type { DiagnosticResult } from '@elastic/elasticsearch'
import type { JsonObject } from '../../../core/content/stores/index.js'
import { fail } from '../../../core/platform/errors/index.js'
import { clientErrors } from '../engine/index.js'

/** Longest answer that is passed on: it is kept in memory as a whole, several times over. */
const MAX_BYTES = 16 * 1024 * 1024

const textOf = async (body: Readable): Promise<string> => {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of body as AsyncIterable<Buffer>) {
    length += chunk.length
    if (length > MAX_BYTES)
      throw fail(
        'tooLarge',
        `The answer of the search engine is larger than ${MAX_BYTES} bytes: ask for less with size and _source`,
      )
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/**
 * Reads an answer that was asked for as a stream. The client's own bound of answers leaves an error that nobody handles.
 *
 * @throws tooLarge before the rest of it is read; the client's error for a status that says so.
 */
export const readAnswer = async (result: DiagnosticResult): Promise<JsonObject> => {
  const body = JSON.parse(await textOf(result.body as Readable))
  if ((result.statusCode ?? 0) >= 400) throw new (clientErrors().ResponseError)({ ...result, body })
  return body
}
