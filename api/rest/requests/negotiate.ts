import { fail } from '../../../core/platform/errors/index.js'
import type { RequestContext } from '../../edge/index.js'

/** @throws notAcceptable when the caller does not accept JSON in any of its spellings (rest-documents.md §1). */
export const requireJsonAccepted = (c: RequestContext): void => {
  const accept = c.req.header('Accept')
  if (accept === undefined || accept.includes('*/*') || accept.includes('json') || accept.includes('entity'))
    return
  if (accept.includes('application/*') || accept.trim() === '') return
  throw fail('notAcceptable', `Accept: ${accept} leaves out application/json`)
}

/** Responds with an entity, whose type is in the content type, as current clients expect. */
export const entityResponse = (entity: { 'entity-type': string }, status = 200): Response => {
  const text = JSON.stringify(entity)
  return new Response(text, {
    status,
    headers: {
      'Content-Type': `application/json; nuxeo-entity=${entity['entity-type']}`,
      // Known without reading the body again, where the edge has to decide about compressing it.
      'Content-Length': String(Buffer.byteLength(text)),
    },
  })
}
