import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { SYSTEM } from '../../../core/access/security/index.js'
import { createDocument } from '../../../core/content/documents/index.js'
import { createBlobValue } from '../../../core/files/blobs/index.js'
import { createPictureBench, square } from '../support/picture-support.js'
import { addUser } from '../support/rest-client.js'

const { platform, call, download, create } = await createPictureBench()

const plain = await create('plain.png', await square(0).png().toBuffer())

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

  test('are kept from documents and users that their filters do not accept', async () => {
    const deploy = (address: string, json: object) =>
      call('PUT', `/api/v1/contributions/${address}`, { json })
    const mayWrite = { rules: [{ permissions: ['Write'], conditions: ['Document.title != "shut"'] }] }
    expect((await deploy('filters/mayWrite', mayWrite)).status).toBeLessThan(300)
    const filtered = { converter: 'pictureToWebp', parameters: { width: 11 }, filters: ['mayWrite'] }
    expect((await deploy('renditionDefinitions/filtered', filtered)).status).toBeLessThan(300)
    const unknown = await deploy('renditionDefinitions/unknown', { ...filtered, filters: ['mayWriet'] })
    expect([unknown.status, unknown.text]).toEqual([422, expect.stringContaining('mayWrite')])
    await addUser(platform, 'reader', ['members'])
    const open = await create('open.png', await square(9).png().toBuffer())
    const shut = await create('shut.png', await square(9).png().toBuffer())
    await call('PUT', `/api/v1/id/${shut}`, {
      json: { 'entity-type': 'document', properties: { 'dc:title': 'shut' } },
    })
    const seen = async (id: string, user?: string) => {
      const as = user === undefined ? {} : { user }
      const headers = { 'enrichers-document': 'renditions' }
      const { json } = await call('GET', `/api/v1/id/${id}`, { headers, ...as })
      const names = json.contextParameters.renditions.map((each: { name: string }) => each.name)
      const { status } = await call('GET', `/api/v1/id/${id}/@rendition/filtered`, as)
      return [names.includes('filtered'), status]
    }
    expect(await seen(open)).toEqual([true, 200])
    expect(await seen(shut)).toEqual([false, 404])
    expect(await seen(open, 'reader')).toEqual([false, 404])
    // One of the product's own, too.
    await deploy('renditionDefinitions/xmlExport', { filters: ['mayWrite'] })
    const fetched = (user?: string) =>
      call('GET', `/api/v1/id/${open}/@rendition/xmlExport`, { ...(user !== undefined && { user }) })
    expect([(await fetched()).status, (await fetched('reader')).status]).toEqual([200, 404])
    await call('DELETE', '/api/v1/contributions/renditionDefinitions/xmlExport')
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
