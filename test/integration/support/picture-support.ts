import sharp from 'sharp'
import { afterAll, expect } from 'vitest'
import { createApp } from '../../../api/app.js'
import { createEngine } from '../../../api/engine.js'
import { createTestAutomation } from '../../support/automation.js'
import { ADMIN_PASSWORD } from '../../support/platform.js'
import { type Client, createClient } from './rest-client.js'

/** A grey picture with a black square of some pixels in a corner. */
export const square = (side: number, { width = 40, height = 30 } = {}) => {
  const grey = sharp({ create: { width, height, channels: 3, background: '#808080' } })
  if (side === 0) return grey
  const black = { create: { width: side, height: side, channels: 3 as const, background: '#000000' } }
  return grey.composite([{ input: black, left: 0, top: 0 }])
}

/** The API with a worker, and what tests of pictures send and receive. */
export const createPictureBench = async () => {
  const { platform } = await createTestAutomation()
  const engine = await createEngine(platform)
  const client = createClient(platform, engine)
  const app = createApp(platform, engine)
  afterAll(() => engine.close())

  const Authorization = `Basic ${btoa(`Administrator:${ADMIN_PASSWORD}`)}`

  const call: Client = (method, path, { headers, ...request } = {}) =>
    client(method, path, { ...request, headers: { ...(!request.user && { Authorization }), ...headers } })

  return {
    platform,
    app,
    Authorization,
    call,
    /** A file as an answer; a message where it is none. */
    download: async (path: string, json?: object) => {
      const body = json && { method: 'POST', body: JSON.stringify(json) }
      const given = { Authorization, ...(json && { 'Content-Type': 'application/json' }) }
      const response = await app.request(path, { headers: given, ...body })
      const { status, headers } = response
      const bytes = Buffer.from(await response.arrayBuffer())
      const isJson = headers.get('Content-Type')?.includes('json')
      return { status, headers, bytes, message: isJson ? JSON.parse(bytes.toString()).message : undefined }
    },
    /** A new document with a file. @returns its id. */
    create: async (name: string, bytes: Uint8Array | string, type = 'image/png'): Promise<string> => {
      const { json } = await call('POST', '/api/v1/path/default-domain/workspaces', {
        json: { 'entity-type': 'document', type: 'File', name },
      })
      const body = new FormData()
      body.append('content', new Blob([bytes as Uint8Array<ArrayBuffer>], { type }), name)
      const { status, text } = await call('PUT', `/api/v1/id/${json.uid}/@blob/file:content`, { body })
      expect(status, text).toBe(200)
      return json.uid
    },
  }
}
