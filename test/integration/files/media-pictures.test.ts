import sharp from 'sharp'
import { afterAll, describe, expect, test } from 'vitest'
import { createApp } from '../../../api/app.js'
import { createEngine } from '../../../api/engine.js'
import { SYSTEM } from '../../../core/access/security/index.js'
import { createDocument } from '../../../core/content/documents/index.js'
import { createBlobValue } from '../../../core/files/blobs/index.js'
import { createTestAutomation } from '../../support/automation.js'
import { ADMIN_PASSWORD } from '../../support/platform.js'
import { pngBomb } from '../support/png-bomb.js'
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

  test('a small file that claims a huge picture is refused', async () => {
    const bomb = await create('bomb.png', pngBomb(30_000))
    const { status, message } = await compare(bomb, bomb)
    expect([status, message]).toEqual([422, expect.stringContaining('identify failed')])
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

describe('operations of pictures', () => {
  const operate = (id: string, json: object) => download(`/api/v1/automation/${id}`, json)

  test('Picture.Resize scales a picture into a box', async () => {
    const params = { maxWidth: 20, maxHeight: 100 }
    const { status, bytes } = await operate('Picture.Resize', { input: plain, params })
    expect(status).toBe(200)
    expect(await sharp(bytes).metadata()).toMatchObject({ width: 20, height: 15 })
    const wrong = await operate('Picture.resize', { input: plain, params: { ...params, maxWidth: -1 } })
    expect([wrong.status, wrong.message]).toEqual([400, expect.stringContaining('maxWidth: expected')])
  })

  test.each<[string, object, object]>([
    ['Resize', { width: 20 }, { format: 'png', width: 20, height: 15 }],
    ['Crop', { x: 5, width: 10, height: 20 }, { format: 'png', width: 10, height: 20 }],
    ['Rotate', { angle: 90, conversionFormat: 'jpeg' }, { format: 'jpeg', width: 30, height: 40 }],
    ['Convert', { conversionFormat: 'webp' }, { format: 'webp', width: 40, height: 30 }],
    ['Watermark', { watermark: 'Draft' }, { format: 'png', width: 40, height: 30 }],
  ])('Image.Blob.%s with %j', async (name, params, expected) => {
    const { status, bytes, message } = await operate(`Image.Blob.${name}`, { input: plain, params })
    expect([status, message]).toEqual([200, undefined])
    expect(await sharp(bytes).metadata()).toMatchObject(expected)
  })

  test('Image.Blob.ConvertToPDF makes a PDF, and what is no picture is refused', async () => {
    const { status, bytes } = await operate('Image.Blob.ConvertToPDF', { input: plain, params: {} })
    expect([status, bytes.subarray(0, 5).toString()]).toEqual([200, '%PDF-'])
    expect((await operate('Image.Blob.Rotate', { input: text, params: { angle: 90 } })).status).toBe(422)
    expect((await operate('Image.Blob.Rotate', { input: plain, params: { angle: 900 } })).status).toBe(400)
  })

  test('Picture.Create creates a picture, and Picture.GetView gives its views', async () => {
    const params = { name: 'made', properties: 'dc:title=Made' }
    const made = await call('POST', '/api/v1/automation/Picture.Create', {
      json: { input: '/default-domain/workspaces', params },
    })
    expect([made.status, made.json.type, made.json.title]).toEqual([200, 'Picture', 'Made'])
    expect((await operate('Picture.GetView', { input: plain, params: {} })).headers.get('Content-Type')).toBe(
      'image/png',
    )
    expect((await operate('Picture.getView', { input: plain, params: { viewName: 'none' } })).status).toBe(
      204,
    )
  })
})

describe('renditions', () => {
  test('are contributed by converter, listed where they are available, and have a stable ETag', async () => {
    const deploy = (name: string, json: object) =>
      call('PUT', `/api/v1/contributions/renditionDefinitions/${name}`, { json })
    const webp = {
      converter: 'pictureToWebp',
      parameters: { width: 20 },
      available: { mimeTypes: ['image/*'] },
    }
    expect((await deploy('asWebp', webp)).status).toBeLessThan(300)
    expect((await deploy('hidden', { ...webp, visible: false })).status).toBeLessThan(300)
    expect((await deploy('wrong', { converter: 'nothing' })).status).toBe(422)
    const names = async (id: string) => {
      const { json } = await call('GET', `/api/v1/id/${id}`, {
        headers: { 'enrichers-document': 'renditions' },
      })
      return json.contextParameters.renditions.map((each: { name: string }) => each.name)
    }
    expect(await names(plain)).toContain('asWebp')
    expect(await names(plain)).not.toContain('hidden')
    const words = await create('words.txt', 'just words', 'text/plain')
    expect(await names(words)).not.toContain('asWebp')
    expect((await download(`/api/v1/id/${words}/@rendition/asWebp`)).status).toBe(404)
    const [one, other] = [
      await download(`/api/v1/id/${plain}/@rendition/asWebp`),
      await download(`/api/v1/id/${plain}/@rendition/asWebp`),
    ]
    expect(await sharp(one.bytes).metadata()).toMatchObject({ format: 'webp', width: 20 })
    expect(other.headers.get('ETag')).toBe(one.headers.get('ETag'))
    expect((await download(`/api/v1/id/${plain}/@rendition/hidden`)).status).toBe(200)
  })

  test('have another ETag when the parameters of their definition change', async () => {
    const etagAt = async (width: number) => {
      const json = { converter: 'pictureToWebp', parameters: { width } }
      await call('PUT', '/api/v1/contributions/renditionDefinitions/sized', { json })
      const { headers, bytes } = await download(`/api/v1/id/${plain}/@rendition/sized`)
      expect((await sharp(bytes).metadata()).width).toBe(width)
      return headers.get('ETag')
    }
    expect(await etagAt(12)).not.toBe(await etagAt(13))
  })

  test.each(['pdf', 'thumbnail', 'xmlExport', 'zipExport'])('%s has a stable ETag', async (name) => {
    const id = await create(`${name}.txt`, `words of ${name}`, 'text/plain')
    const one = await download(`/api/v1/id/${id}/@rendition/${name}`)
    const other = await download(`/api/v1/id/${id}/@rendition/${name}`)
    expect([one.status, one.headers.get('ETag')]).toEqual([200, expect.stringMatching(/^"[\w-]+"$/)])
    expect(other.headers.get('ETag')).toBe(one.headers.get('ETag'))
  })

  test('are kept by storeByDefault, for each user where the definition says so', async () => {
    const definition = { converter: 'pictureToWebp', parameters: { width: 15 }, storeByDefault: true }
    for (const [name, variantPolicy] of [['kept', undefined] as const, ['keptForEach', 'user'] as const])
      await call('PUT', `/api/v1/contributions/renditionDefinitions/${name}`, {
        json: { ...definition, ...(variantPolicy && { variantPolicy }) },
      })
    await addUser(platform, 'kim', ['members'])
    const store = platform.transientStore('RenditionCache')
    const keys = async () => {
      const found: string[] = []
      for await (const { key } of store.list()) found.push(key)
      return found
    }
    const id = await create('kept.png', await square(7).png().toBuffer())
    const get = (name: string, user?: string) =>
      call('GET', `/api/v1/id/${id}/@rendition/${name}`, { ...(user !== undefined && { user }) })
    expect((await get('kept')).status).toBe(200)
    const [key] = await keys()
    const other = createBlobValue({
      stored: await platform.blobs.write(Buffer.from('put there')),
      name: 'a.txt',
    })
    await store.putParameters(key!, { blob: { ...other } })
    expect((await get('kept', 'kim')).text).toBe('put there')
    for (const user of [undefined, 'kim']) expect((await get('keptForEach', user)).status).toBe(200)
    expect(await keys()).toHaveLength(3)
  })

  test('are made by an operationChain, of documents without a file where allowEmptyBlob says so', async () => {
    const chain = 'operations:\n- Document.GetRendition: { renditionName: xmlExport }\n'
    const headers = { 'Content-Type': 'application/yaml' }
    const deployed = await call('PUT', '/api/v1/contributions/chains/described', { body: chain, headers })
    expect(deployed.status, deployed.text).toBeLessThan(300)
    const deploy = (name: string, json: object) =>
      call('PUT', `/api/v1/contributions/renditionDefinitions/${name}`, { json })
    await deploy('byChain', { operationChain: 'described' })
    await deploy('byChainOfAll', { operationChain: 'described', allowEmptyBlob: true })
    expect((await deploy('both', { operationChain: 'described', converter: 'pictureToPng' })).status).toBe(
      422,
    )
    const { json: bare } = await call('POST', '/api/v1/path/default-domain/workspaces', {
      json: { 'entity-type': 'document', type: 'File', name: 'bare' },
    })
    const get = (id: string, name: string) => download(`/api/v1/id/${id}/@rendition/${name}`)
    expect((await get(bare.uid, 'byChain')).status).toBe(404)
    for (const [id, name] of [[plain, 'byChain'] as const, [bare.uid, 'byChainOfAll'] as const]) {
      const { status, bytes } = await get(id, name)
      expect([status, bytes.toString()]).toEqual([200, expect.stringContaining(`id="${id}"`)])
    }
  })

  test('of a picture is a PDF, and of a folder the files in it', async () => {
    const stored = await platform.blobs.write(await square(9).jpeg().toBuffer())
    const file = { 'file:content': createBlobValue({ stored, name: 'in.jpg' }) }
    const made = await platform.withSession(SYSTEM, async (session) => {
      const parent = await createDocument(session, {
        ...{ parent: '/default-domain/workspaces', name: 'container', type: 'Folder', properties: {} },
      })
      const at = { parent: '/default-domain/workspaces/container', properties: file }
      const picture = await createDocument(session, { ...at, name: 'one', type: 'Picture' })
      await createDocument(session, { ...at, name: 'two', type: 'File' })
      return { folder: parent.id, picture: picture.id }
    })
    const pdf = await download(`/api/v1/id/${made.picture}/@rendition/imageToPDF`)
    expect([pdf.status, pdf.bytes.toString('latin1', 0, 5)]).toEqual([200, '%PDF-'])
    const zip = await download(`/api/v1/id/${made.folder}/@rendition/containerDefaultRendition`)
    expect([zip.status, zip.headers.get('Content-Type')]).toEqual([200, 'application/zip'])
    expect(zip.bytes.toString('latin1')).toContain('in (1).jpg')
    const { json } = await call('GET', `/api/v1/id/${made.folder}`, {
      headers: { 'enrichers-document': 'renditions' },
    })
    const names = json.contextParameters.renditions.map((each: { name: string }) => each.name)
    expect(names).not.toContain('containerDefaultRendition')
  })

  test('are the views that a document stores, too', async () => {
    const stored = await platform.blobs.write(await square(3).jpeg().toBuffer())
    const content = createBlobValue({ stored, name: 'Small_plain.jpg' })
    const { id } = await platform.withSession(SYSTEM, (session) =>
      createDocument(session, {
        ...{ parent: '/default-domain/workspaces', name: 'viewed', type: 'Picture' },
        properties: { 'picture:views': [{ title: 'Small', content }] },
      }),
    )
    const { status, bytes } = await download(`/api/v1/id/${id}/@rendition/Small`)
    expect(status).toBe(200)
    expect(await sharp(bytes).metadata()).toMatchObject({ format: 'jpeg', width: 40 })
  })
})

test('what nothing reads is named in a header, and what makes no sense is refused before it is scheduled', async () => {
  const convert = (query: string) =>
    call('POST', `/api/v1/id/${plain}/@convert?converter=pictureResize${query}`)
  const misspelt = await convert('&widht=5&nxrepository=default')
  expect([misspelt.status, misspelt.headers.get('Archivolt-Warning')]).toEqual([
    200,
    'unknown parameter "widht" of pictureResize, did you mean "width"?',
  ])
  expect((await convert('&width=5')).headers.get('Archivolt-Warning')).toBeNull()
  const later = await convert('&async=true&heihgt=5')
  expect([later.status, later.headers.get('Archivolt-Warning')]).toEqual([
    202,
    expect.stringContaining('"heihgt" of pictureResize'),
  ])
  const wrong = await convert('&async=true&width=abc')
  expect([wrong.status, wrong.json.message]).toEqual([400, expect.stringContaining('width: expected')])
  const compared = await compare(plain, marked, '?fuz=5')
  expect([compared.status, compared.headers.get('Archivolt-Warning')]).toEqual([
    200,
    'unknown parameter "fuz" of @comparePictures, did you mean "fuzz"?',
  ])
})

test('a conversion is followed by server-sent events until it has ended', async () => {
  const follow = async (format: string) => {
    const started = await call('POST', `/api/v1/id/${plain}/@convert?format=${format}&async=true`)
    const id = started.json.conversionId
    const { status, headers, bytes } = await download(`/api/v1/conversions/${id}/events`)
    expect([status, headers.get('Content-Type')]).toEqual([200, expect.stringContaining('text/event-stream')])
    return bytes.toString()
  }
  expect(await follow('webp')).toMatch(/event: completed\ndata: \{"entity-type":"conversionStatus".*\}\n\n$/)
  expect(await follow('mp4')).toMatch(
    /event: failed\ndata: \{"status":"failed","message":".*No converters.*"\}/,
  )
  expect((await download('/api/v1/conversions/nothing/events')).status).toBe(404)
})
