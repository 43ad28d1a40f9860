import { z } from 'zod'
import { idempotencyHeader } from '../idempotency/index.js'
import { inPath, JSON_TYPE, json, nothing, type RouteDoc } from '../openapi/index.js'
import { commaList, word } from '../parse/index.js'
import { commentAnswers } from './comments.schema.js'
import { commentRequests, pagingQuery } from './requests/requests.schema.js'

const listQuery = pagingQuery.pick({ pageSize: true, currentPageIndex: true })

const docsOf = (
  name: 'comment' | 'annotation',
  body: z.ZodType,
  { listFilter }: { listFilter: z.ZodRawShape },
): RouteDoc[] => {
  const { one, list } = commentAnswers[name]
  const capital = `${name[0]?.toUpperCase()}${name.slice(1)}`
  const fetch = { [`fetch-${name}`]: commaList.describe('repliesSummary') }
  const byId = { path: `/@${name}/{${name}Id}`, place: inPath({ [`${name}Id`]: 'Its id' }), suffix: '' }
  const byEntity = {
    path: `/@${name}/external/{entityId}`,
    place: inPath({ entityId: 'Its id in the system that it came from' }),
    suffix: 'ByEntityId',
  }
  const tag = 'comments'
  return [
    {
      method: 'GET',
      path: `/@${name}`,
      operationId: `list${capital}s`,
      summary: `The ${name}s on a document, or the replies to a comment`,
      tag,
      parameters: { query: z.object({ ...listQuery.shape, ...fetch, ...listFilter }) },
      responses: { 200: json('A page, the oldest first', list) },
    },
    {
      method: 'POST',
      path: `/@${name}`,
      operationId: `create${capital}`,
      summary: `Adds a ${name} to a document, or replies to a comment`,
      tag,
      parameters: { query: z.object(fetch), header: idempotencyHeader },
      body: { [JSON_TYPE]: body },
      responses: { 201: json(`The new ${name}`, one) },
    },
    ...[byId, byEntity].flatMap(({ path, place, suffix }): RouteDoc[] => [
      {
        method: 'GET',
        path,
        operationId: `get${capital}${suffix}`,
        summary: `Reads a ${name}`,
        tag,
        parameters: { path: place, query: z.object(fetch) },
        responses: { 200: json(`The ${name}`, one) },
      },
      {
        method: 'PUT',
        path,
        operationId: `update${capital}${suffix}`,
        summary: `Changes a ${name}`,
        tag,
        parameters: { path: place, query: z.object(fetch) },
        body: { [JSON_TYPE]: body },
        responses: { 200: json(`The ${name}`, one) },
      },
      {
        method: 'DELETE',
        path,
        operationId: `delete${capital}${suffix}`,
        summary: `Removes a ${name} and its replies`,
        tag,
        parameters: { path: place },
        responses: { 204: nothing('It is removed') },
      },
    ]),
  ]
}

/** Comments and annotations (workflow-audit.md §9); below `/id/{id}` and `/path/{path}`. */
export const commentDocs: readonly RouteDoc[] = [
  ...docsOf('comment', commentRequests.Comment, { listFilter: {} }),
  ...docsOf('annotation', commentRequests.Annotation, {
    listFilter: { xpath: word.describe('Where the file is that they are on') },
  }),
]
