import { z } from 'zod'
import { blobAt, blobXpath, getDocument, type Session } from '../../../core/content/documents/index.js'
import { saveDocument } from '../../../core/content/versioning/index.js'
import { type DocumentRecord, removeProperty, setProperty } from '../../../core/model/properties/index.js'
import { fail } from '../../../core/platform/errors/index.js'
import { sendPermitted } from '../../download/index.js'
import { isMultipart, readMultipart } from '../../multipart/index.js'
import { downloadable, file, text } from '../../openapi/index.js'
import type { RestServices } from '../rendering/index.js'
import { documentGroup, VERSIONING_OPTION, writeHeaders, writeOptionsOf } from '../requests/index.js'
import type { Adapter, AdapterRequest } from './adapter.js'

type Place = { xpath: string; key: string }

/** A field of a schema without prefix needs no prefix here, unlike in `nxfile` (blobs-conversions.md §2). */
const withPrefix = (session: Session, xpath: string): string => {
  if (/[:;]/.test(xpath)) return xpath
  const resolved = session.model.resolve(xpath)
  return resolved && !resolved.schema.hasPrefix ? resolved.xpath : xpath
}

/** The xpath to write the blob to. @throws badRequest when documents of this type have no such blob field. */
const writablePlace = (session: Session, document: DocumentRecord, written: string): Place => {
  const xpath = blobXpath(document, withPrefix(session, written))
  const resolved = xpath === undefined ? undefined : session.model.resolve(xpath)
  const schemas = session.model.schemasOf(document.type, document.facets)
  if (resolved?.field.type !== 'blob' || !schemas.includes(resolved.schema))
    throw fail('badRequest', `${written}: documents of type ${document.type} have no such blob`)
  return { xpath: resolved.xpath, key: resolved.key }
}

const describeBlobs = documentGroup({
  tag: 'files',
  path: {
    xpath: 'Xpath of the file, e.g. file:content or files:files/0/file; blobholder:0 for the main one',
  },
})

export const blobDocs = describeBlobs({
  getBlob: ['GET /@blob/{xpath}', 'Downloads a file', downloadable('The file')],
  replaceBlob: [
    'PUT /@blob/{xpath}',
    'Replaces a file',
    {
      header: writeHeaders.omit({ 'X-NXDocumentJsonLegacy': true, source: true }),
      body: { 'multipart/form-data': z.object({}).catchall(file).describe('One file') },
      200: text('text/plain', 'It is replaced'),
    },
  ],
  deleteBlob: ['DELETE /@blob/{xpath}', 'Removes a file', { 204: 'It is removed' }],
})

/** `@blob/{xpath}`: download, replace, remove (blobs-conversions.md §2). */
export const blobAdapter = ({ platform }: RestServices): Adapter => {
  const readUpload = async ({ c }: AdapterRequest) => {
    if (!isMultipart(c))
      throw fail(
        'unsupportedMediaType',
        `Content-Type: ${c.req.header('Content-Type')} is not multipart/form-data`,
      )
    const { http } = platform.settings
    const { files } = await readMultipart(c, {
      blobs: platform.blobs.ownedBy(c.get('principal')),
      ...http,
    })
    const [file] = files.values()
    if (!file) throw fail('badRequest', 'The request has no file part')
    return file
  }

  /** Loads the document for a write of one property, and creates a version when the caller requests one. */
  const write = async (
    { c, ref }: AdapterRequest,
    change: (session: Session, document: DocumentRecord) => DocumentRecord['properties'],
  ): Promise<void> => {
    const { increment, comment } = writeOptionsOf(c)
    await platform.withSession(c.get('principal'), async (session) => {
      const document = await getDocument(session, ref, { lock: 'write' })
      const field = VERSIONING_OPTION
      await saveDocument(session, document, change(session, document), { increment, field, comment })
    })
  }

  return {
    name: 'blob',
    methods: {
      GET: async ({ c, ref, rest }) => {
        const session = platform.readSession(c.get('principal'))
        const document = await getDocument(session, ref)
        const blob = blobAt(session.model, document, withPrefix(session, rest))
        if (!blob) throw fail('notFound', `No blob at '${rest}' of ${ref}`)
        return sendPermitted(c, platform, { session, document, blob, xpath: rest, reason: 'download' })
      },
      PUT: async (request) => {
        const { c, ref, rest } = request
        // Checked before the upload is read, so that a refused file is not transferred.
        const session = platform.readSession(c.get('principal'))
        writablePlace(session, await getDocument(session, ref, { permission: 'WriteProperties' }), rest)
        const value = await readUpload(request)
        await write(request, (inside, document) => {
          const { xpath, key } = writablePlace(inside, document, rest)
          const { properties } = document
          return { [key]: setProperty(properties, { model: inside.model, xpath, value })[key] ?? null }
        })
        return c.text('blob updated')
      },
      DELETE: async (request) => {
        await write(request, (session, document) => {
          const { xpath, key } = writablePlace(session, document, request.rest)
          if (!blobAt(session.model, document, xpath)) throw fail('notFound', `No blob at '${request.rest}'`)
          return { [key]: removeProperty(document.properties, { model: session.model, xpath })[key] ?? null }
        })
        return new Response(null, { status: 204 })
      },
    },
  }
}
