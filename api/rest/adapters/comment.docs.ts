import { z } from 'zod'
import type { CommentKind } from '../../../core/content/comments/index.js'
import { idempotencyHeader } from '../../idempotency/index.js'
import type { RouteDoc, RouteEntry } from '../../openapi/index.js'
import { commaList, word } from '../../parse/index.js'
import { COMMENT_ENTITIES, commentResponses } from '../entities/index.js'
import { commentRequests, documentGroup, pagingQuery } from '../requests/index.js'

const docsOf = (kind: CommentKind, list: z.ZodRawShape): RouteDoc[] => {
  const name = COMMENT_ENTITIES[kind]
  const one = kind === 'Annotation' ? `an ${name}` : `a ${name}`
  const answers = commentResponses[name]
  const fetch = { [`fetch-${name}`]: commaList.describe('repliesSummary') }
  const query = z.object(fetch)
  const body = commentRequests[kind]
  const describeComments = documentGroup({
    tag: 'comments',
    path: { [`${name}Id`]: 'Its id', entityId: 'Its id in the system of its origin' },
  })
  const at = (place: string, suffix: string): { [operationId: string]: RouteEntry } => ({
    [`get${kind}${suffix}`]: [`GET ${place}`, `Reads ${one}`, { query, 200: answers.one }],
    [`update${kind}${suffix}`]: [`PUT ${place}`, `Changes ${one}`, { query, body, 200: answers.one }],
    [`delete${kind}${suffix}`]: [
      `DELETE ${place}`,
      `Removes ${one} and its replies`,
      { 204: 'It is removed' },
    ],
  })
  return describeComments({
    [`list${kind}s`]: [
      `GET /@${name}`,
      `The ${name}s on a document, or the replies to a comment`,
      {
        query: pagingQuery.pick({ pageSize: true, currentPageIndex: true }).extend({ ...fetch, ...list }),
        200: answers.list,
      },
    ],
    [`create${kind}`]: [
      `POST /@${name}`,
      `Adds a ${name} to a document, or replies to a comment`,
      { query, header: idempotencyHeader, body, 201: answers.one },
    ],
    ...at(`/@${name}/{${name}Id}`, ''),
    ...at(`/@${name}/external/{entityId}`, 'ByEntityId'),
  })
}

/** Comments (workflow-audit.md §9). */
export const commentDocs = docsOf('Comment', {})

/** Annotations. */
export const annotationDocs = docsOf('Annotation', {
  xpath: word.describe('Xpath of the annotated file'),
})
