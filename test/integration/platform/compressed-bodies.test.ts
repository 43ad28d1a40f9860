import { gunzipSync, gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { createApp } from '../../../api/app.js'
import { createClient } from '../support/rest-client.js'
import { ADMIN_PASSWORD, createTestPlatform } from '../support/rest-support.js'

const platform = await createTestPlatform()
const call = createClient(platform)
const app = createApp(platform)
const DOMAIN = '/api/v1/path/default-domain'
const FILE = JSON.stringify({ 'entity-type': 'document', type: 'File', name: 'packed' })

test.each(['gzip', 'deflate, gzip', 'br', 'x'])(
  'a body in %s is refused before it is read',
  async (encoding) => {
    const headers = { 'Content-Type': 'application/json', 'Content-Encoding': encoding }
    const answer = await call('POST', DOMAIN, { body: gzipSync(FILE), headers })
    expect([answer.status, answer.json.message]).toEqual([
      415,
      `Content-Encoding: ${encoding} is not supported; send the body uncompressed`,
    ])
    const file = await call('PUT', `${DOMAIN}/@blob/file:content`, { body: gzipSync(FILE), headers })
    expect(file.status).toBe(415)
  },
)

test('one that says that it is none is read', async () => {
  const headers = { 'Content-Type': 'application/json', 'Content-Encoding': 'identity' }
  expect((await call('POST', DOMAIN, { body: FILE, headers })).status).toBe(201)
})

describe('answers', () => {
  const Authorization = `Basic ${Buffer.from(`Administrator:${ADMIN_PASSWORD}`).toString('base64')}`
  const read = (path: string, headers: { [name: string]: string } = { 'Accept-Encoding': 'gzip' }) =>
    app.request(path, { headers: { ...headers, Authorization } })

  test('of 1 KiB and more are compressed for who accepts it', async () => {
    const packed = await read('/api/v1/openapi.json')
    const { headers } = packed
    expect([headers.get('Content-Encoding'), headers.get('Vary')]).toEqual(['gzip', 'Accept-Encoding'])
    const text = gunzipSync(Buffer.from(await packed.arrayBuffer())).toString()
    expect(JSON.parse(text).openapi).toMatch(/^3\.1/)
    const tag = { 'If-None-Match': headers.get('ETag') ?? '', 'Accept-Encoding': 'gzip' }
    expect((await read('/api/v1/openapi.json', tag)).status).toBe(304)
    expect((await read('/api/v1/openapi.json', {})).headers.get('Content-Encoding')).toBeNull()
  })

  test('of entities say how long they are', async () => {
    const answer = await read(DOMAIN, {})
    const length = Number(answer.headers.get('Content-Length'))
    expect(length).toBe((await answer.arrayBuffer()).byteLength)
  })

  test('that are small, and files, stay as they are', async () => {
    expect((await read('/health/live')).headers.get('Content-Encoding')).toBeNull()
    const content = { name: 'a.txt', 'mime-type': 'text/plain', data: 'x'.repeat(5_000) }
    const json = {
      'entity-type': 'document',
      type: 'File',
      name: 'long',
      properties: { 'file:content': content },
    }
    const { uid } = (await call('POST', DOMAIN, { json })).json
    const file = await read(`/nxfile/default/${uid}/file:content`)
    expect([file.headers.get('Content-Encoding'), (await file.text()).length]).toEqual([null, 5_000])
  })
})
