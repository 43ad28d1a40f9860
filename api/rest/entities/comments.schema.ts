import { z } from 'zod'
import { component } from '../../openapi/index.js'

const commentFields = {
  id: z.string(),
  parentId: z.string(),
  ancestorIds: z.array(z.string()),
  author: z.string(),
  text: z.string(),
  creationDate: z.string().nullable(),
  modificationDate: z.string().nullable(),
  entityId: z.string().nullable(),
  origin: z.string().nullable(),
  entity: z.string().nullable(),
  permissions: z.array(z.string()).describe('Permissions of the caller on the document'),
  numberOfReplies: z.int().optional().describe('With fetch-comment: repliesSummary'),
  lastReplyDate: z.string().nullable().optional().describe('With fetch-comment: repliesSummary'),
}

const comment = component(
  'comment',
  z.object({ 'entity-type': z.literal('comment'), ...commentFields }),
  'A comment',
)
const annotation = component(
  'annotation',
  z.object({ 'entity-type': z.literal('annotation'), ...commentFields, xpath: z.string().nullable() }),
  'An annotation',
)

const listOf = (type: string, entry: z.ZodType) =>
  component(
    type,
    z.object({ 'entity-type': z.literal(type), totalSize: z.int(), entries: z.array(entry) }),
    'A page, the oldest first',
  )

/** Entities of comments and annotations (workflow-audit.md §9). */
export const commentResponses = {
  comment: { one: comment, list: listOf('comments', comment) },
  annotation: { one: annotation, list: listOf('annotations', annotation) },
}
