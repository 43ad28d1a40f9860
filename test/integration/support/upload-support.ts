import { expect } from 'vitest'
import { createEngine } from '../../../api/engine.js'
import { createClient } from './rest-client.js'
import { createTestPlatform } from './rest-support.js'

export const UPLOAD = '/api/v1/upload'
export const WORKSPACES = '/api/v1/path/default-domain/workspaces'

type Sent = { name?: string; type?: string; user?: string }
type SentChunk = { body: string; count?: number; size?: number; name?: string }

/** A file of a batch as properties and parameters name it. */
export const upload = (batch: string, file: string) => ({ 'upload-batch': batch, 'upload-fileId': file })

/** The API in this process, for files of up to 3 MB, and calls that upload to it. */
export const createUploadBench = async (env: NodeJS.ProcessEnv = {}) => {
  const platform = await createTestPlatform({ ARCHIVOLT_MAX_UPLOAD_BYTES: '3000000', ...env })
  const call = createClient(platform, await createEngine(platform))
  let made = 0

  return {
    platform,
    call,

    newBatch: async (user = 'Administrator'): Promise<string> => {
      const { status, json } = await call('POST', `${UPLOAD}/`, { user })
      expect(status).toBe(201)
      return json.batchId
    },

    send: (batch: string, index: number | string, body: string, { name = 'a.txt', type, user }: Sent = {}) =>
      call('POST', `${UPLOAD}/${batch}/${index}`, {
        body,
        ...(user && { user }),
        headers: { 'X-File-Name': encodeURIComponent(name), ...(type && { 'X-File-Type': type }) },
      }),

    /** A chunk of the first file of a batch. */
    sendChunk: (
      batch: string,
      chunk: number | string,
      { body, count = 3, size = 9, name = 'c.txt' }: SentChunk,
    ) =>
      call('POST', `${UPLOAD}/${batch}/0`, {
        body,
        headers: {
          'X-Upload-Type': 'chunked',
          'X-Upload-Chunk-Index': String(chunk),
          'X-Upload-Chunk-Count': String(count),
          'X-File-Size': String(size),
          'X-File-Name': name,
          'X-File-Type': 'text/plain',
        },
      }),

    createFile: (properties: object, headers: Record<string, string> = {}) =>
      call('POST', WORKSPACES, {
        json: { 'entity-type': 'document', name: `uploaded-${++made}`, type: 'File', properties },
        headers: { properties: '*', ...headers },
      }),

    textOf: async (uid: string, xpath = 'file:content'): Promise<string> =>
      (await call('GET', `/nxfile/default/${uid}/${xpath}`)).text,
  }
}
