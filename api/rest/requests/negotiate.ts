import { fail } from '../../../core/platform/errors/index.js'
import type { RequestContext } from '../../edge/index.js'

/** @throws notAcceptable when the caller takes no JSON in any of its spellings (rest-documents.md §1). */
export const requireJsonAccepted = (c: RequestContext): void => {
  const accept = c.req.header('Accept')
  if (accept === undefined || accept.includes('*/*') || accept.includes('json') || accept.includes('entity'))
    return
  if (accept.includes('application/*') || accept.trim() === '') return
  throw fail('notAcceptable', `Accept: ${accept} leaves out application/json`)
}

/** Answers an entity; its type stands in the content type as today's clients see it. */
export const entityResponse = (entity: { 'entity-type': string }, status = 200): Response =>
  new Response(JSON.stringify(entity), {
    status,
    headers: { 'Content-Type': `application/json; nuxeo-entity=${entity['entity-type']}` },
  })
