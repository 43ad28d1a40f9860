import sharp from 'sharp'
import { afterAll, describe, expect, test } from 'vitest'
import { createApp } from '../../../api/app.js'
import { createEngine } from '../../../api/engine.js'
import { createTestAutomation } from '../../support/automation.js'
import { ADMIN_PASSWORD } from '../../support/platform.js'
import { addUser, type Client, createClient } from '../support/rest-client.js'

const { platform } = await createTestAutomation()
const engine = await createEngine(platform)
const client = createClient(platform, engine)
const app = createApp(platform, engine)
afterAll(() => engine.close())

const Authorization = `Basic ${btoa(`Administrator:${ADMIN_PASSWORD}`)}`

const call: Client = (method, path, { headers, ...request } = {}) =>
  client(method, path, { ...request, headers: { ...(!request.user && { Authorization }), ...headers } })

/** A file as an answer; a message where it is none. */
const download = async (path: string, json?: object) => {
  const body = json && { method: 'POST', body: JSON.stringify(json) }
  const given = { Authorization, ...(json && { 'Content-Type': 'application/json' }) }
  const response = await app.request(path, { headers: given, ...body })
  const { status, headers } = response
  const bytes = Buffer.from(await response.arrayBuffer())
  const isJson = headers.get('Content-Type')?.includes('json')
  return { status, headers, bytes, message: isJson ? JSON.parse(bytes.toString()).message : undefined }
}

/** A grey picture with a black square of some pixels in a corner. */
const square = (side: number, { width = 40, height = 30 } = {}) => {
  const grey = sharp({ create: { width, height, channels: 3, background: '#808080' } })
  if (side === 0) return grey
  const black = { create: { width: side, height: side, channels: 3 as const, background: '#000000' } }
  return grey.composite([{ input: black, left: 0, top: 0 }])
}

const create = async (name: string, bytes: Uint8Array | string, type = 'image/png'): Promise<string> => {
  const { json } = await call('POST', '/api/v1/path/default-domain/workspaces', {
    json: { 'entity-type': 'document', type: 'File', name },
  })
  const body = new FormData()
  body.append('content', new Blob([bytes as Uint8Array<ArrayBuffer>], { type }), name)
  const { status, text } = await call('PUT', `/api/v1/id/${json.uid}/@blob/file:content`, { body })
  expect(status, text).toBe(200)
  return json.uid
}

const plain = await create('plain.png', await square(0).png().toBuffer())
const marked = await create('marked.png', await square(10).png().toBuffer())
const larger = await create('larger.png', await square(0, { width: 50 }).png().toBuffer())
const photo = await create('photo.jpg', await square(0).jpeg().toBuffer(), 'image/jpeg')
const text = await create('no-picture.png', 'just words')

const compare = (left: string, right: string, query = '') =>
  download(`/api/v1/id/${left}/@comparePictures/${right}${query}`)

const pixelAt = async (picture: Buffer, x: number, y: number): Promise<number[]> => {
  const { data, info } = await sharp(picture)
    .removeAlpha()
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true })
  const at = (y * info.width + x) * info.channels
  return [...data.subarray(at, at + 3)]
}

describe('picture comparison', () => {
  test('gives the difference as a picture, and how many pixels differ', async () => {
    const { status, headers, bytes } = await compare(plain, marked)
    expect([status, headers.get('Content-Type'), headers.get('X-Differing-Pixels')]).toEqual([
      200,
      'image/png',
      '100',
    ])
    expect(headers.get('Content-Disposition')).toContain('comp-plain.png')
    const picture = bytes
    expect(await sharp(picture).metadata()).toMatchObject({ format: 'png', width: 40, height: 30 })
    const [red, green, blue] = await pixelAt(picture, 2, 2)
    expect(red).toBeGreaterThan(150)
    expect([green, blue].every((part) => (part ?? 255) < 100)).toBe(true)
  })

  test('pictures that are the same have no differing pixels', async () => {
    expect((await compare(plain, plain)).headers.get('X-Differing-Pixels')).toBe('0')
  })

  test('fuzz and colours are parameters, and the extension of the target is the format', async () => {
    const tolerant = await compare(plain, marked, '?fuzz=60%25&highlightColor=default')
    expect(tolerant.headers.get('X-Differing-Pixels')).toBe('0')
    const coloured = await compare(
      plain,
      marked,
      '?highlightColor=%230000ff&lowlightColor=White&targetFileName=..%2Fdelta.tif',
    )
    expect([coloured.status, coloured.headers.get('Content-Type')]).toEqual([200, 'image/tiff'])
    const picture = coloured.bytes
    expect(await pixelAt(picture, 2, 2)).toEqual([0, 0, 255])
    expect(await pixelAt(picture, 30, 20)).toEqual([255, 255, 255])
  })

  test('another size or format is refused, but not by diff-pictures-pro', async () => {
    const size = await compare(plain, larger)
    expect([size.status, size.message]).toEqual([
      400,
      'The pictures differ in size: 40 x 30 and 50 x 30 pixels',
    ])
    const format = await compare(plain, photo)
    expect(format.message).toBe('The pictures differ in format: image/png and image/jpeg')
    for (const other of [larger, photo])
      expect((await compare(plain, other, '?commandLine=diff-pictures-pro')).status).toBe(200)
  })

  test.each([
    ['?fuzz=-1', 'fuzz: expected a number, or per cent such as 5%, got "-1"'],
    ['?highlightColor=@/etc/passwd', 'highlightColor: expected a colour'],
    ['?commandLine=nothing', "The command line 'nothing' is not available"],
    ['?xpath=files:files/0/file', 'xpath: document'],
  ])('a wrong parameter is refused: %s', async (query, message) => {
    const { status, message: said } = await compare(plain, marked, query)
    expect([status, said]).toEqual([400, expect.stringContaining(message)])
  })

  test('what is no picture by its bytes is refused, whatever its type says', async () => {
    const scripts = [
      'push graphic-context\nviewbox 0 0 9 9\nimage over 0,0 0,0 "/etc/passwd"\npop graphic-context',
      '<svg xmlns="http://www.w3.org/2000/svg"><image href="file:///etc/passwd"/></svg>',
      '<?xml version="1.0"?><image><read filename="/etc/passwd"/></image>',
    ]
    for (const [index, script] of scripts.entries()) {
      const hostile = await create(`hostile-${index}.png`, script)
      const { status, message } = await compare(plain, hostile)
      expect([status, message]).toEqual([400, `hostile-${index}.png is not a picture that can be compared`])
    }
    expect((await compare(text, text)).status).toBe(400)
  })

  test('both documents must be readable', async () => {
    await addUser(platform, 'eve', ['members'])
    const block = { json: { input: marked, params: {} } }
    expect((await call('POST', '/api/v1/automation/Document.BlockPermissionInheritance', block)).status).toBe(
      200,
    )
    expect(
      (await call('GET', `/api/v1/id/${plain}/@comparePictures/${marked}`, { user: 'eve' })).status,
    ).toBe(404)
    const params = { leftDoc: plain, rightDoc: marked }
    const asked = { user: 'eve', json: { params } }
    expect((await call('POST', '/api/v1/automation/Pictures.DiffWithDocs', asked)).status).toBe(404)
  })

  test('Pictures.DiffWithDocs compares documents, with a suffix for the name', async () => {
    const params = {
      leftDoc: plain,
      rightDoc: marked,
      xpath: 'default',
      targetFileNameSuffix: '-1',
      parameters: { fuzz: '1%' },
    }
    const { status, headers, bytes } = await download('/api/v1/automation/Pictures.DiffWithDocs', { params })
    expect([status, headers.get('Content-Disposition')]).toEqual([
      200,
      expect.stringContaining('comp-plain-1.png'),
    ])
    expect(await sharp(bytes).metadata()).toMatchObject({ width: 40, height: 30 })
  })

  test('Pictures.DiffWithBlobs compares the input with a variable of a chain', async () => {
    const body = `operations:
- Document.GetBlob
- Context.SetInputAsVar: {name: first}
- Repository.GetDocument: {value: ${marked}}
- Document.GetBlob
- Pictures.DiffWithBlobs: {blob2VarName: first, targetFileName: d.gif}
`
    const headers = { 'Content-Type': 'application/yaml' }
    const deployed = await call('PUT', '/api/v1/contributions/chains/compare', { body, headers })
    expect(deployed.status, deployed.text).toBeLessThan(300)
    const { status, bytes } = await download('/api/v1/automation/compare', { input: plain, params: {} })
    expect(status).toBe(200)
    expect(await sharp(bytes).metadata()).toMatchObject({ format: 'gif', width: 40, height: 30 })
  })

  test('Pictures.DiffWithBlobs wants a variable that holds a picture', async () => {
    const body = `operations:
- Document.GetBlob
- Pictures.DiffWithBlobs: {blob2VarName: none}
`
    const headers = { 'Content-Type': 'application/yaml' }
    await call('PUT', '/api/v1/contributions/chains/compareNothing', { body, headers })
    const { status, message } = await download('/api/v1/automation/compareNothing', {
      input: plain,
      params: {},
    })
    expect([status, message]).toEqual([
      400,
      expect.stringContaining("blob2VarName: the variable 'none' holds void, not a file"),
    ])
  })
})
