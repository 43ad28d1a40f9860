import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import sharp from 'sharp'
import { afterAll, describe, expect, test } from 'vitest'
import { createApp } from '../../../api/app.js'
import { createEngine } from '../../../api/engine.js'
import { createTestAutomation } from '../../support/automation.js'
import { ADMIN_PASSWORD } from '../../support/platform.js'
import { createClient } from '../support/rest-client.js'

const { platform } = await createTestAutomation()
const engine = await createEngine(platform)
const client = createClient(platform, engine)
const app = createApp(platform, engine)
const folder = await mkdtemp(join(tmpdir(), 'archivolt-operations-'))
const run = promisify(execFile)
afterAll(async () => {
  await engine.close()
  await rm(folder, { recursive: true, force: true })
})

const Authorization = `Basic ${btoa(`Administrator:${ADMIN_PASSWORD}`)}`

type Given = { name: string; bytes: Buffer; type: string }

/** Calls an operation on files, and gives the file of its answer. */
const operate = async (id: string, files: readonly Given[], params: object) => {
  const form = new FormData()
  const request = JSON.stringify({ params })
  form.append('request', new Blob([request], { type: 'application/json' }), 'request')
  for (const { name, bytes, type } of files)
    form.append('input', new Blob([bytes as Uint8Array<ArrayBuffer>], { type }), name)
  const response = await app.request(`/api/v1/automation/${id}`, {
    ...{ method: 'POST', body: form, headers: { Authorization } },
  })
  const bytes = Buffer.from(await response.arrayBuffer())
  const isJson = response.headers.get('Content-Type')?.includes('json')
  return { status: response.status, headers: response.headers, bytes, json: isJson && JSON.parse(`${bytes}`) }
}

const film = async (name: string, seconds: number, size: string): Promise<Given> => {
  const path = join(folder, name)
  await run('ffmpeg', [
    ...['-v', 'error', '-y', '-f', 'lavfi', '-i', `testsrc=duration=${seconds}:size=${size}:rate=10`],
    ...['-f', 'lavfi', '-i', `sine=duration=${seconds}`, '-g', '10', '-shortest', path],
  ])
  return { name, bytes: await readFile(path), type: 'video/mp4' }
}

const probed = async (bytes: Buffer) => {
  const path = join(folder, 'result.mp4')
  await writeFile(path, bytes)
  const { stdout } = await run('ffprobe', [
    ...['-v', 'error', '-show_streams', '-show_format', '-of', 'json', path],
  ])
  const { format, streams } = JSON.parse(stdout)
  return {
    seconds: Number(format.duration),
    width: streams[0].width,
    height: streams[0].height,
    streams: streams.length,
  }
}

describe('films', async () => {
  const long = await film('long.mp4', 6, '160x120')
  const short = await film('short.mp4', 2, '100x100')

  test.each([
    [{ startAt: '00:00:01', duration: '2.5' }, 2.5],
    [{ startAt: '4', duration: '00:00:10', encode: false }, 2],
  ])('Video.Slice with %j', async (params, seconds) => {
    const { status, bytes } = await operate('Video.Slice', [long], params)
    expect(status, `${bytes.subarray(0, 300)}`).toBe(200)
    const result = await probed(bytes)
    expect(Math.abs(result.seconds - seconds)).toBeLessThan(0.5)
    expect(result).toMatchObject({ width: 160, height: 120, streams: 2 })
  })

  test.each([
    ['Video.Slice', { startAt: '7', duration: '1' }, 'startAt: the film ends after'],
    ['Video.Slice', { startAt: '-i /etc/passwd', duration: '1' }, 'startAt: expected seconds or HH:MM:SS'],
    ['Video.SliceInParts', { duration: '0.01' }, 'duration: at most 100 parts'],
    ['Video.AddWatermark', { watermark: null, x: '1' }, 'watermark'],
  ])('%s refuses %j', async (id, params, message) => {
    const { status, json } = await operate(id, [long], params)
    expect([status, json.message]).toEqual([400, expect.stringContaining(message)])
  })

  test('Video.SliceInParts cuts at key frames', async () => {
    const { status, headers, bytes } = await operate('Video.SliceInParts', [long], { duration: '2' })
    expect([status, headers.get('Content-Type')]).toEqual([200, expect.stringContaining('multipart/mixed')])
    for (const part of ['long-000.mp4', 'long-001.mp4', 'long-002.mp4'])
      expect(bytes.includes(part)).toBe(true)
  })

  test('Video.Concat joins films of different sizes, and wants two', async () => {
    const { status, bytes } = await operate('Video.Concat', [long, short], {})
    expect(status, `${bytes.subarray(0, 300)}`).toBe(200)
    const result = await probed(bytes)
    expect(Math.abs(result.seconds - 8)).toBeLessThan(0.5)
    expect(result).toMatchObject({ width: 160, height: 120, streams: 2 })
  })

  test('Video.AddWatermark puts a picture on a film', async () => {
    const create = { width: 40, height: 40, channels: 3 as const, background: '#ff0000' }
    const picture = await sharp({ create }).jpeg().toBuffer()
    const { batchId } = (await client('POST', '/api/v1/upload')).json
    const headers = { 'X-File-Name': 'red.jpg', 'X-File-Type': 'image/jpeg' }
    const uploaded = await client('POST', `/api/v1/upload/${batchId}/0`, { body: picture, headers })
    expect(uploaded.status).toBe(201)
    const watermark = { 'upload-batch': batchId, 'upload-fileId': '0' }
    const { status, bytes } = await operate('Video.AddWatermark', [short], { watermark, x: '10', y: '20' })
    expect(status, `${bytes.subarray(0, 300)}`).toBe(200)
    await writeFile(join(folder, 'marked.mp4'), bytes)
    const frame = join(folder, 'frame.png')
    await run('ffmpeg', ['-v', 'error', '-y', '-i', join(folder, 'marked.mp4'), '-frames:v', '1', frame])
    const corner = await sharp(frame).extract({ left: 20, top: 30, width: 10, height: 10 }).png().toBuffer()
    const part = await sharp(corner).stats()
    expect(part.channels.map(({ mean }) => (mean > 200 ? 'high' : mean < 60 ? 'low' : 'between'))).toEqual([
      'high',
      'low',
      'low',
    ])
  })
})

describe('metadata of files', async () => {
  const bytes = await sharp({ create: { width: 20, height: 10, channels: 3, background: '#808080' } })
    .withExif({ IFD0: { Copyright: 'Ann' } })
    .jpeg()
    .toBuffer()
  const photo = { name: 'a.jpg', bytes, type: 'image/jpeg' }

  test('Blob.ReadMetadata gives them by tag, and nothing of the server', async () => {
    const { status, json } = await operate('Blob.ReadMetadata', [photo], {})
    expect(status).toBe(200)
    expect(json.value ?? json).toMatchObject({ ImageWidth: 20, Copyright: 'Ann' })
    const grouped = await operate('Blob.ReadMetadata', [photo], { ignorePrefix: false })
    expect(grouped.json.value ?? grouped.json).toMatchObject({ 'EXIF:Copyright': 'Ann' })
    expect(`${grouped.bytes}`).not.toMatch(/Directory|SourceFile|source-0/)
  })

  test('Blob.SetMetadataFromContext writes them', async () => {
    const metadata = { 'IPTC:Source': 'Agency', 'EXIF:Copyright': '' }
    const { status, bytes: written } = await operate('Blob.SetMetadataFromContext', [photo], { metadata })
    expect(status, `${written.subarray(0, 300)}`).toBe(200)
    const { json } = await operate('Blob.ReadMetadata', [{ ...photo, bytes: written }], {
      ignorePrefix: false,
    })
    expect(json.value ?? json).toMatchObject({ 'IPTC:Source': 'Agency' })
    expect(json.value ?? json).not.toHaveProperty('EXIF:Copyright')
  })

  test.each([
    [{ metadata: { 'File:FileName': '/tmp/x' } }, 'is no tag that can be written'],
    [{ metadata: { 'Comment<': '/etc/passwd' } }, 'is no tag that can be written'],
    [{ metadata: { geotag: '/etc/passwd' } }, 'is no tag that can be written'],
    [{ metadata: { TagsFromFile: '/usr/share/x.png' } }, 'is no tag that can be written'],
    [{ metadata: { addTagsFromFile: '/usr/share/x.png' } }, 'is no tag that can be written'],
    [{ metadata: { csv: '/tmp/x' } }, 'is no tag that can be written'],
    [{ metadata: { j: '/tmp/x' } }, 'is no tag that can be written'],
    [{ metadata: { Comment: 'x' }, processor: 'other' }, 'processor: expected exifTool'],
  ])('Blob.SetMetadataFromContext refuses %j', async (params, message) => {
    const { status, json } = await operate('Blob.SetMetadataFromContext', [photo], params)
    expect([status, json.message]).toEqual([400, expect.stringContaining(message)])
  })

  test('Blob.SetMetadataFromDocument writes properties into the file of a document', async () => {
    const { json } = await client('POST', '/api/v1/path/default-domain/workspaces', {
      json: { 'entity-type': 'document', type: 'File', name: 'meta', properties: { 'dc:rights': 'Bob' } },
    })
    const body = new FormData()
    body.append('content', new Blob([bytes as Uint8Array<ArrayBuffer>], { type: 'image/jpeg' }), 'a.jpg')
    await client('PUT', `/api/v1/id/${json.uid}/@blob/file:content`, { body })
    const changed = await client('POST', '/api/v1/automation/Blob.SetMetadataFromDocument', {
      json: { input: json.uid, params: { metadata: { 'EXIF:Copyright': 'dc:rights' } } },
    })
    expect(changed.status, changed.text).toBe(200)
    const read = await app.request(`/api/v1/id/${json.uid}/@blob/file:content`, {
      headers: { Authorization },
    })
    const file = { ...photo, bytes: Buffer.from(await read.arrayBuffer()) }
    expect(`${(await operate('Blob.ReadMetadata', [file], {})).bytes}`).toContain('"Copyright":"Bob"')
  })
})

test('the poll of a conversion says how far it is, where its converter reports that', async () => {
  const { bytes } = await film('slow.mp4', 120, '640x480')
  const { json } = await client('POST', '/api/v1/path/default-domain/workspaces', {
    json: { 'entity-type': 'document', type: 'File', name: 'slow' },
  })
  const body = new FormData()
  body.append('content', new Blob([bytes as Uint8Array<ArrayBuffer>], { type: 'video/mp4' }), 'slow.mp4')
  expect((await client('PUT', `/api/v1/id/${json.uid}/@blob/file:content`, { body })).status).toBe(200)
  const asked = `/api/v1/id/${json.uid}/@convert?converter=convertToWebM&async=true`
  const { conversionId } = (await client('POST', asked)).json
  const address = `/api/v1/conversions/${conversionId}`
  const polled = async () => (await client('GET', `${address}/poll`)).json
  await expect.poll(polled, { timeout: 60_000, interval: 100 }).toMatchObject({
    status: 'running',
    progress: expect.toSatisfy((progress: number) => progress > 0 && progress < 1),
  })
  expect((await client('DELETE', address)).status).toBe(202)
})
