import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { createPictureBench, square } from '../support/picture-support.js'
import { pngBomb } from '../support/png-bomb.js'
import { addUser } from '../support/rest-client.js'

const { platform, call, download, create } = await createPictureBench()

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
