import { canonicalPath } from '../../../core/content/documents/index.js'
import type { DocumentRef } from '../../../core/model/properties/index.js'
import { fail } from '../../../core/platform/errors/index.js'

/** One `@name/rest` of a request's path, decoded; `rest` is empty when nothing follows the name. */
export type AdapterCall = { name: string; rest: string }

export type Target = { ref: DocumentRef; adapters: readonly AdapterCall[] }

const decode = (text: string): string => {
  try {
    // Not form encoding: a plus is a plus (rest-documents.md §1).
    return decodeURIComponent(text)
  } catch (cause) {
    throw fail('badRequest', `The path is not percent-encoded UTF-8: ${text}`, { cause })
  }
}

const requireSane = (path: string): string => {
  if (path.includes('\0')) throw fail('badRequest', 'The path has a NUL character')
  if (path.split('/').some((segment) => segment === '..' || segment === '.'))
    throw fail('badRequest', `The path must not have '.' or '..' segments: ${path}`)
  return path
}

const adapterCall = (raw: string): AdapterCall => {
  const slash = raw.indexOf('/')
  const name = slash < 0 ? raw : raw.slice(0, slash)
  return { name: decode(name), rest: slash < 0 ? '' : requireSane(decode(raw.slice(slash + 1))) }
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
  return { ref: canonicalPath(requireSane(decode(document))), adapters }
}

/** What follows `/id`: one segment, then adapters. */
export const parseIdTarget = (raw: string): Target => {
  const { document, adapters } = split(raw)
  const id = requireSane(decode(document)).replace(/^\/+|\/+$/g, '')
  if (id === '' || id.includes('/')) throw fail('notFound', id || 'A document id is missing')
  return { ref: id, adapters }
}
