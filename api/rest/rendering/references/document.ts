import { keepReadable } from '../../../../core/content/documents/index.js'
import type { ResolveReference } from './reference.js'

/** A document by id or path, optionally prefixed with its repository: `default:<id>`. */
export const resolveDocument: ResolveReference = async (value, _, { session, renderer }) => {
  const colon = value.indexOf(':')
  const isQualified = colon > 0 && !value.startsWith('/')
  if (isQualified && value.slice(0, colon) !== session.repository) return undefined
  const ref = isQualified ? value.slice(colon + 1) : value
  if (ref === '' || ref.includes('\0')) return undefined
  const found = await session.stores.documents.get(ref)
  const [readable] = found ? await keepReadable(session, [found]) : []
  return readable && renderer.one(readable)
}
