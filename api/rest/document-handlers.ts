import { z } from 'zod'
import {
  createDocument,
  getDocument,
  removeDocument,
  requireChangeToken,
  type Session,
} from '../../core/content/documents/index.js'
import {
  checkIn,
  getLastVersion,
  type Increment,
  requireOption,
  saveDocument,
} from '../../core/content/versioning/index.js'
import type { DocumentRecord } from '../../core/model/properties/index.js'
import { fail } from '../../core/platform/errors/index.js'
import { preferHeader, type RequestContext } from '../edge/index.js'
import { idempotencyHeader } from '../idempotency/index.js'
import { file, JSON_TYPE, json } from '../openapi/index.js'
import type { AdapterEngine, AdapterHandler } from './adapters/index.js'
import { documentEntity } from './entities/index.js'
import type { RestServices } from './rendering/index.js'
import {
  askedBy,
  type DocumentBody,
  type DocumentChangeBody,
  documentChange,
  documentGroup,
  entityResponse,
  type NewDocumentBody,
  newDocument,
  readBodyProperties,
  readDocumentBody,
  renderingQuery,
  requireJsonAccepted,
  VERSIONING_OPTION,
  type WriteOptions,
  writeHeaders,
  writeOnce,
  writeOptionsOf,
} from './requests/index.js'

/** Without a version, a write is one statement, unless a policy requires more. */
const createsNoVersion = (increment: Increment | undefined): increment is 'NONE' | undefined =>
  increment === undefined || increment === 'NONE'

type Handlers = Record<'GET' | 'POST' | 'PUT' | 'DELETE', AdapterHandler>

const withFiles = (document: z.ZodType) =>
  z
    .object({ document })
    .catchall(file)
    .describe('First the JSON of the document, then files: {"upload-part": "<part name>"} refers to one')

const writing = { query: renderingQuery, header: writeHeaders.extend(idempotencyHeader.shape) }

export const documentDocs = documentGroup({ tag: 'documents' })({
  getDocument: ['GET /', 'Reads a document', { query: renderingQuery, 200: documentEntity }],
  createDocument: [
    'POST /',
    'Creates a child of a document',
    {
      ...writing,
      body: { [JSON_TYPE]: newDocument, 'multipart/form-data': withFiles(newDocument) },
      201: json('The new document', documentEntity),
    },
  ],
  updateDocument: [
    'PUT /',
    'Changes the sent properties',
    {
      ...writing,
      body: { [JSON_TYPE]: documentChange, 'multipart/form-data': withFiles(documentChange) },
      200: json('The document, or the version that was created', documentEntity),
    },
  ],
  deleteDocument: [
    'DELETE /',
    'Removes a document and all below it, for good',
    {
      header: preferHeader,
      204: 'It is removed',
      202: {
        description: 'It has so much below it that a run removes it, which has not ended yet',
        headers: { Location: 'Address of the status of the run', 'Archivolt-Workflow-Id': 'Id of the run' },
      },
      errors: [429, 503],
    },
  ],
})

/** The methods of a document itself (rest-documents.md §3). */
export const createDocumentHandlers = (
  services: RestServices,
  engine?: Pick<AdapterEngine, 'removeLarge'>,
): Handlers => {
  const { platform } = services

  const respond = async (c: RequestContext, document: DocumentRecord, status = 200): Promise<Response> => {
    const renderer = services.renderer(c, platform.readSession(c.get('principal')))
    return entityResponse(await renderer.one(document), status)
  }

  const write = (
    c: RequestContext,
    { body, options }: { body: DocumentBody; options: WriteOptions },
    work: (session: Session) => Promise<DocumentRecord>,
  ): Promise<DocumentRecord> =>
    writeOnce(
      { c, platform },
      {
        asked: () => [options, askedBy(body)],
        // A version is a second write, which needs a transaction around both.
        ...(createsNoVersion(options.increment) && {
          write: (single) => platform.withSingleWrite(c.get('principal'), single),
        }),
        find: getDocument,
      },
      work,
    )

  const create = async (
    c: RequestContext,
    session: Session,
    wanted: CreateRequest,
  ): Promise<DocumentRecord> => {
    const { body, options, parent, name, type } = wanted
    const properties = await readBodyProperties(body, {
      c,
      platform,
      session,
      schemas: session.model.schemasOf(type, []),
      isEmptyStringNull: options.isEmptyStringNull,
    })
    const document = await createDocument(session, { parent, name, type, properties })
    const { increment, comment } = options
    if (createsNoVersion(increment)) return document
    requireOption(session, document, { increment, field: VERSIONING_OPTION })
    return (await checkIn(session, document, { increment, comment })).document
  }

  const update = async (
    c: RequestContext,
    session: Session,
    { body, options, ref }: UpdateRequest,
  ): Promise<DocumentRecord> => {
    await requireKnownUid(session, body)
    const { increment, comment, source } = options
    const isVersioned = !createsNoVersion(increment)
    const document = await getDocument(session, ref, isVersioned ? { lock: 'write' } : {})
    const { changeToken } = body.entity
    if (changeToken !== undefined) requireChangeToken(document, changeToken)
    const properties = await readBodyProperties(body, {
      c,
      platform,
      session,
      schemas: session.model.schemasOf(document.type, document.facets),
      isEmptyStringNull: options.isEmptyStringNull,
    })
    const field = VERSIONING_OPTION
    const saved = await saveDocument(session, document, properties, { increment, field, comment, source })
    if (saved.version || source === undefined) return saved.version ?? saved.document
    return (await getLastVersion(session, saved.document)) ?? saved.document
  }

  return {
    GET: async ({ c, ref }) => {
      requireJsonAccepted(c)
      return respond(c, await getDocument(platform.readSession(c.get('principal')), ref))
    },
    POST: async ({ c, ref }) => {
      requireJsonAccepted(c)
      const options = writeOptionsOf(c)
      const body = await readDocumentBody(c, { platform, schema: newDocument })
      const { name, type } = body.entity
      if (name === undefined || type === undefined)
        throw fail('badRequest', 'type or name property is missing')
      const document = await write(c, { body, options }, (session) =>
        create(c, session, { body, options, parent: ref, name, type }),
      )
      return respond(c, document, 201)
    },
    PUT: async ({ c, ref }) => {
      requireJsonAccepted(c)
      const options = writeOptionsOf(c)
      const body = await readDocumentBody(c, { platform, schema: documentChange })
      return respond(
        c,
        await write(c, { body, options }, (session) => update(c, session, { body, options, ref })),
      )
    },
    DELETE: async ({ c, ref }) => {
      const principal = c.get('principal')
      const seen = engine && (await getDocument(platform.readSession(principal), ref))
      const response = seen && (await engine.removeLarge(c, seen))
      if (response) return response
      await platform.withSession(principal, async (session) =>
        removeDocument(session, await getDocument(session, ref)),
      )
      return new Response(null, { status: 204 })
    },
  }
}

type CreateRequest = {
  body: NewDocumentBody
  options: WriteOptions
  parent: string
  name: string
  type: string
}

type UpdateRequest = { body: DocumentChangeBody; options: WriteOptions; ref: string }

/** The body's `uid` must exist, but never redirects the write (rest-documents.md §3). */
const requireKnownUid = async (session: Session, { entity: { uid } }: DocumentChangeBody): Promise<void> => {
  if (uid !== undefined) await getDocument(session, uid, { permission: 'Browse' })
}
