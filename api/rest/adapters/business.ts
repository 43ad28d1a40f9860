import type { BusinessObjects } from '../../../core/content/business-objects/index.js'
import { getDocument, type Session } from '../../../core/content/documents/index.js'
import { fail } from '../../../core/platform/errors/index.js'
import { consumeUpload } from '../../consumed-uploads/index.js'
import type { RequestContext } from '../../edge/index.js'
import { idempotencyHeader } from '../../idempotency/index.js'
import { businessObject, businessObjects, documentsEntity, linksOf } from '../entities/index.js'
import type { RestServices } from '../rendering/index.js'
import {
  createBlobReader,
  documentGroup,
  entityResponse,
  forEachList,
  readJson,
  requireEntity,
  requireJsonAccepted,
  VERSIONING_OPTION,
  writeHeaders,
  writeOnce,
  writeOptionsOf,
} from '../requests/index.js'
import type { Adapter, AdapterEngine } from './adapter.js'

const versioningHeader = writeHeaders.pick({ 'X-Versioning-Option': true, 'Update-Comment': true })

const describeObjects = documentGroup({
  tag: 'business objects',
  path: {
    adapter: 'Name of the business object',
    name: 'Name of the new document',
    provider: 'Name of the page provider',
  },
})

export const businessDocs = describeObjects({
  getBusinessObject: ['GET /@bo/{adapter}', 'A document as a business object', { 200: businessObject }],
  updateBusinessObject: [
    'PUT /@bo/{adapter}',
    'Changes a document by its business object',
    { header: versioningHeader, body: businessObject, 200: businessObject },
  ],
  removeBusinessObject: [
    'DELETE /@bo/{adapter}',
    'Removes the document of a business object, and all below it',
    { 204: 'It is removed' },
  ],
  createBusinessObject: [
    'POST /@bo/{adapter}/{name}',
    'Creates a child from a business object',
    { header: idempotencyHeader.extend(versioningHeader.shape), body: businessObject, 200: businessObject },
  ],
  ...forEachList((title, { place, query }) => [
    `getBusinessObjectsOf${title}`,
    [
      `GET ${place}/@bo/{adapter}`,
      'The documents of a page as business objects, as far as they have this one',
      { query, 200: businessObjects },
    ],
  ]),
})

const isObject = (value: unknown): value is { [field: string]: unknown } =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * `@bo/{adapter}`: a document as a business object, read and written, or each document of a list;
 * `@bo/{adapter}/{name}` creates a child from one (rest-documents.md §7).
 */
export const businessAdapter = (
  { platform }: RestServices,
  { businessObjects: objects }: Pick<AdapterEngine, 'businessObjects'>,
): Adapter => {
  const { settings } = platform

  const readValue = async (c: RequestContext, adapter: string) => {
    const { value } = requireEntity(await readJson(c, settings.http.maxJsonBytes), adapter)
    if (!isObject(value)) throw fail('badRequest', 'value: must be an object')
    return value
  }

  const blobReader = (c: RequestContext, session: Session) =>
    createBlobReader({
      blobs: platform.blobs.ownedBy(session.principal),
      session,
      parts: undefined,
      findUpload: (upload) => consumeUpload(c, platform.uploads, upload),
      readSession: (name) => platform.repositories.get(name)?.readSession(session.principal),
    })

  const reader = (c: RequestContext, session: Session) => {
    const links = linksOf(c, { publicUrl: settings.http.publicUrl, repository: session.repository })
    return (document: Parameters<BusinessObjects['read']>[1], adapter: string) =>
      objects.read(session, document, { adapter, blobUrl: (xpath) => links.blob(document.id, xpath) })
  }

  /** The adapter's name, where no document name may follow it. */
  const onlyName = (rest: string): string => {
    if (rest === '' || rest.includes('/')) throw fail('notFound', `No such business object: ${rest}`)
    return rest
  }

  const versioningOf = (c: RequestContext) => {
    const { increment, comment } = writeOptionsOf(c)
    return { increment, comment, field: VERSIONING_OPTION }
  }

  return {
    name: 'bo',
    isCostly: true,
    takesLists: true,
    takes: ({ list, rest }) => {
      if (list) return ['GET']
      return rest.includes('/') ? ['POST'] : ['GET', 'PUT', 'DELETE']
    },
    methods: {
      GET: async ({ c, ref, rest, list }) => {
        requireJsonAccepted(c)
        const adapter = onlyName(rest)
        const session = platform.readSession(c.get('principal'))
        const read = reader(c, session)
        if (!list) return entityResponse(await read(await getDocument(session, ref), adapter))
        const isFitting = objects.fitting(session, adapter)
        const page = await list()
        const fitting = page.entries.filter(isFitting)
        const entries = await Promise.all(fitting.map((document) => read(document, adapter)))
        // Paging counts documents, so that the next page does not depend on which of them have the object.
        return entityResponse({
          ...documentsEntity(page, page.entries),
          ...{ 'entity-type': 'adapters', currentPageSize: entries.length, entries },
        })
      },
      PUT: async ({ c, ref, rest }) => {
        requireJsonAccepted(c)
        const adapter = onlyName(rest)
        const versioning = versioningOf(c)
        const value = await readValue(c, adapter)
        const document = await platform.withSession(c.get('principal'), async (session) =>
          objects.update(session, await getDocument(session, ref), {
            adapter,
            value,
            onBlob: blobReader(c, session),
            versioning,
          }),
        )
        return entityResponse(await reader(c, platform.readSession(c.get('principal')))(document, adapter))
      },
      POST: async ({ c, ref, rest }) => {
        requireJsonAccepted(c)
        const slash = rest.indexOf('/')
        const [adapter, name] = slash < 0 ? [rest, ''] : [rest.slice(0, slash), rest.slice(slash + 1)]
        if (adapter === '') throw fail('notFound', 'The name of a business object is missing after @bo/')
        if (name.trim() === '')
          throw fail('badRequest', 'The name of the new document is missing: …/@bo/{adapter}/{name}')
        const versioning = versioningOf(c)
        const value = await readValue(c, adapter)
        const document = await writeOnce(
          { c, platform },
          { asked: () => (versioning.increment ? [value, versioning] : value), find: getDocument },
          (session) =>
            objects.create(session, {
              ...{ parent: ref, name, adapter, value, versioning },
              onBlob: blobReader(c, session),
            }),
        )
        return entityResponse(await reader(c, platform.readSession(c.get('principal')))(document, adapter))
      },
      DELETE: async ({ c, ref, rest }) => {
        const adapter = onlyName(rest)
        await platform.withSession(c.get('principal'), async (session) =>
          objects.remove(session, await getDocument(session, ref), adapter),
        )
        return new Response(null, { status: 204 })
      },
    },
  }
}
