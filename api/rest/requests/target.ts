import { canonicalPath } from '../../../core/content/documents/index.js'
import type { DocumentRef } from '../../../core/model/properties/index.js'
import { fail } from '../../../core/platform/errors/index.js'
import { decodePath } from '../../edge/index.js'

/** One `@name/rest` of a request's path, decoded; `rest` is empty when nothing follows the name. */
export type AdapterCall = { name: string; rest: string }

export type Target = { ref: DocumentRef; adapters: readonly AdapterCall[] }

const requireSane = (path: string): string => {
  if (path.includes('\0')) throw fail('badRequest', 'The path has a NUL character')
  if (path.split('/').some((segment) => segment === '..' || segment === '.'))
    throw fail('badRequest', `The path must not have '.' or '..' segments: ${path}`)
  return path
}

const adapterCall = (raw: string): AdapterCall => {
  const slash = raw.indexOf('/')
  const name = slash < 0 ? raw : raw.slice(0, slash)
  return { name: decodePath(name), rest: slash < 0 ? '' : requireSane(decodePath(raw.slice(slash + 1))) }
}

const split = (raw: string): { document: string; adapters: AdapterCall[] } => {
  const [document = '', ...adapters] = raw.split('/@')
  return { document, adapters: adapters.map(adapterCall) }
}

/**
 * What follows `/path`: an absolute path up to the first `/@`, then adapters. Doubled and trailing slashes are
 * tolerated.
 */
export const parsePathTarget = (raw: string): Target => {
  const { document, adapters } = split(raw)
  return { ref: canonicalPath(requireSane(decodePath(document))), adapters }
}

/** What follows `/id`: one segment, then adapters. */
export const parseIdTarget = (raw: string): Target => {
  const { document, adapters } = split(raw)
  const id = requireSane(decodePath(document)).replace(/^\/+|(?<!\/)\/+$/g, '')
  if (id === '' || id.includes('/')) throw fail('notFound', id || 'A document id is missing')
  return { ref: id, adapters }
}
