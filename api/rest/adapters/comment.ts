import {
  asComment,
  type Comment,
  type CommentKind,
  type CommentName,
  createComment,
  findComment,
  getComments,
  removeComment,
  updateComment,
} from '../../../core/content/comments/index.js'
import { getDocument, type Session } from '../../../core/content/documents/index.js'
import type { DocumentRecord } from '../../../core/model/properties/index.js'
import { fail } from '../../../core/platform/errors/index.js'
import type { RequestContext } from '../../edge/index.js'
import { parseInput } from '../../parse/index.js'
import { COMMENT_ENTITIES, commentWriter } from '../entities/index.js'
import type { RestServices } from '../rendering/index.js'
import {
  commentRequests,
  entityResponse,
  pagingParameters,
  readJson,
  requireJsonAccepted,
  writeOnce,
} from '../requests/index.js'
import type { Adapter, AdapterRequest } from './adapter.js'

const PAGE_SIZE = 50

const EXTERNAL = 'external/'

/** Which comment the path names; undefined when it names none. */
const nameOf = ({ rest }: AdapterRequest): CommentName | undefined => {
  if (rest === '') return undefined
  if (!rest.startsWith(EXTERNAL)) return { id: rest }
  const entityId = rest.slice(EXTERNAL.length)
  if (entityId === '') throw fail('notFound', rest)
  return { entityId }
}

const named = (request: AdapterRequest): CommentName => {
  const name = nameOf(request)
  if (!name) throw fail('notFound', request.ref)
  return name
}

/**
 * `@comment` on a document or on a comment, `@comment/{id}` and `@comment/external/{entityId}`, and the same for
 * annotations (workflow-audit.md §9).
 */
const adapterOf = ({ platform }: RestServices, kind: CommentKind): Adapter => {
  const entityType = COMMENT_ENTITIES[kind]

  const readBody = async (c: RequestContext) =>
    parseInput(commentRequests[kind], await readJson(c, platform.settings.http.maxJsonBytes))

  /** The comment of the path, whose kind must be that of the adapter. */
  const find = async (session: Session, request: AdapterRequest): Promise<DocumentRecord> => {
    const name = named(request)
    const document = await findComment(session, await getDocument(session, request.ref), name)
    if (asComment(document)?.kind !== kind) throw fail('notFound', request.rest)
    return document
  }

  /** A reply may be posted to the document, with the parent comment in its body. */
  const replied = async (
    session: Session,
    target: DocumentRecord,
    parentId: string | undefined,
  ): Promise<DocumentRecord> => {
    if (parentId === undefined || parentId === target.id) return target
    const parent = await findComment(session, target, { id: parentId }).catch(() => undefined)
    if (!parent) throw fail('badRequest', `parentId: ${parentId} is neither ${target.id} nor a comment on it`)
    return parent
  }

  const commentAt = async (session: Session, { ref, id }: { ref: string; id: string }): Promise<Comment> => {
    const comment = asComment(await findComment(session, await getDocument(session, ref), { id }))
    if (!comment) throw fail('notFound', id)
    return comment
  }

  const list = async ({ c, ref }: AdapterRequest): Promise<Response> => {
    const session = platform.readSession(c.get('principal'))
    const { pageSize, currentPageIndex } = pagingParameters(c)
    const target = await getDocument(session, ref)
    const { comments, total } = await getComments(session, target, {
      kind,
      xpath: kind === 'Annotation' ? c.req.query('xpath') : undefined,
      // All, on the reference platform too, where 0 is asked for (workflow-audit.md §9, rest-documents.md §7).
      pageSize: pageSize ?? PAGE_SIZE,
      currentPageIndex,
    })
    const entries = await Promise.all(comments.map(commentWriter(c, session)))
    return entityResponse({ 'entity-type': `${entityType}s`, ...{ totalSize: total, entries } })
  }

  return {
    name: entityType,
    takes: ({ rest }) => (rest === '' ? ['GET', 'POST'] : ['GET', 'PUT', 'DELETE']),
    methods: {
      GET: async (request) => {
        requireJsonAccepted(request.c)
        if (!nameOf(request)) return list(request)
        const session = platform.readSession(request.c.get('principal'))
        const comment = asComment(await find(session, request))
        if (!comment) throw fail('notFound', request.rest)
        return entityResponse(await commentWriter(request.c, session)(comment))
      },
      POST: async (request) => {
        const { c, ref } = request
        requireJsonAccepted(c)
        const { 'entity-type': _type, parentId, ...content } = await readBody(c)
        const comment = await writeOnce(
          { c, platform },
          { asked: () => [parentId, content], find: (session, id) => commentAt(session, { ref, id }) },
          async (session) => {
            const target = await replied(session, await getDocument(session, ref), parentId)
            return createComment(session, target, { ...content, kind })
          },
        )
        const write = commentWriter(c, platform.readSession(c.get('principal')))
        return entityResponse(await write(comment), 201)
      },
      PUT: async (request) => {
        const { c } = request
        requireJsonAccepted(c)
        const { 'entity-type': _type, parentId: _parentId, ...content } = await readBody(c)
        const written = await platform.withSession(c.get('principal'), async (session) =>
          commentWriter(c, session)(await updateComment(session, await find(session, request), content)),
        )
        return entityResponse(written)
      },
      DELETE: async (request) => {
        await platform.withSession(request.c.get('principal'), async (session) =>
          removeComment(session, await find(session, request)),
        )
        return new Response(null, { status: 204 })
      },
    },
  }
}

export const commentAdapter = (services: RestServices): Adapter => adapterOf(services, 'Comment')

export const annotationAdapter = (services: RestServices): Adapter => adapterOf(services, 'Annotation')
