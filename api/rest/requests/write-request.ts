import { type Increment, parseIncrement } from '../../../core/content/versioning/index.js'
import { fail } from '../../../core/platform/errors/index.js'
import type { RequestContext } from '../../edge/index.js'

/** Options of a write, from headers (rest-documents.md §3). */
export type WriteOptions = {
  /** Undefined when the header is absent: then the deployment's policies decide. */
  increment: Increment | undefined
  comment: string | undefined
  /** The source of the write, a part of the event: the response to a PUT is then the last version, if there is one. */
  source: string | undefined
  isEmptyStringNull: boolean
}

/** Maximum length of a comment, which is a part of the event. Characters. */
const MAX_COMMENT = 4_000

export const VERSIONING_OPTION = 'X-Versioning-Option'

const noteIn = (c: RequestContext, name: string): string | undefined => {
  const note = c.req.header(name)
  if (note !== undefined && note.length > MAX_COMMENT)
    throw fail('badRequest', `${name}: longer than ${MAX_COMMENT} characters`)
  return note
}

export const writeOptionsOf = (c: RequestContext): WriteOptions => {
  const versioning = c.req.header(VERSIONING_OPTION)?.trim() || undefined
  const comment = noteIn(c, 'Update-Comment')
  const source = noteIn(c, 'source')
  return {
    increment: versioning === undefined ? undefined : parseIncrement(versioning, VERSIONING_OPTION),
    comment,
    source: versioning === undefined ? source || undefined : undefined,
    isEmptyStringNull: c.req.header('X-NXDocumentJsonLegacy')?.toLowerCase() === 'true',
  }
}
