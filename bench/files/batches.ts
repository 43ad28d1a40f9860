import { randomBytes } from 'node:crypto'
import { request } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { AUTHORIZATION, call, json } from '../harness/client.js'
import { memoryDuring, processorMs } from '../harness/usage.js'

const MEBIBYTE = 1024 * 1024

export const newBatch = async (apiUrl: string): Promise<string> =>
  `${apiUrl}/api/v1/upload/${json<{ batchId: string }>(await call('POST', `${apiUrl}/api/v1/upload`)).batchId}`

/** Milliseconds of the API's processor for a chunk of 1 MiB: while they come, and to make a file of them. */
export const chunkCost = async (
  { apiUrl, apiPid }: { apiUrl: string; apiPid: number },
  count: number,
): Promise<{ kept: number; joined: number }> => {
  const batch = await newBatch(apiUrl)
  const content = randomBytes(MEBIBYTE)
  const send = async (chunk: number): Promise<void> => {
    content.writeDoubleLE(Math.random())
    await call('POST', `${batch}/0`, {
      body: content,
      headers: {
        ...{ 'content-type': 'application/octet-stream', 'X-Upload-Type': 'chunked' },
        ...{ 'X-Upload-Chunk-Index': String(chunk), 'X-Upload-Chunk-Count': String(count) },
        'X-File-Size': String(count * MEBIBYTE),
      },
    })
  }
  const begun = processorMs(apiPid)
  for (let chunk = 0; chunk < count - 1; chunk++) await send(chunk)
  const kept = processorMs(apiPid)
  await send(count - 1)
  return { kept: (kept - begun) / (count - 1), joined: (processorMs(apiPid) - kept) / count }
}

/** Uploads content that is made while it is sent. */
const uploadLong = (url: string, mebibytes: number): Promise<void> =>
  new Promise((resolve, reject) => {
    const content = randomBytes(MEBIBYTE)
    const sent = request(url, {
      method: 'POST',
      agent: false,
      headers: {
        ...{ authorization: AUTHORIZATION, 'content-type': 'application/octet-stream' },
        'content-length': mebibytes * MEBIBYTE,
      },
    })
    sent.once('error', reject).once('response', (response) => {
      const { statusCode } = response
      if (statusCode !== 201) reject(new Error(`${url}: ${statusCode}`))
      response.resume().once('end', resolve)
    })
    function* chunks(): Generator<Buffer> {
      for (let left = mebibytes; left > 0; left--) yield content
    }
    pipeline(Readable.from(chunks()), sent).catch(reject)
  })

/** MiB that the API has in use before so many files of a size come at once, and the most while they do. */
export const memoryOfParallel = async (
  { apiUrl, apiPid }: { apiUrl: string; apiPid: number },
  { files, mebibytes }: { files: number; mebibytes: number },
): Promise<{ before: number; peak: number }> => {
  const batch = await newBatch(apiUrl)
  const memory = await memoryDuring(apiPid, () =>
    Promise.all(Array.from({ length: files }, (_, file) => uploadLong(`${batch}/${file}`, mebibytes))),
  )
  await call('DELETE', batch)
  return memory
}
