import { getNamedDocument, keepReadable, type Session } from '../../../content/documents/index.js'
import type { DocumentRecord } from '../../../model/properties/index.js'
import { fail } from '../../../platform/errors/index.js'
import type { TransientStore } from '../operations/transient.js'
import { MAX_LISTED_DOCUMENTS } from './named-lists.js'
import { typeOf, type Value } from './values.js'

/** Reads what a value refers to, with the rights of the run's principal at this moment. */
export type DocumentReader = {
  one(value: Extract<Value, { type: 'document' }>): Promise<DocumentRecord>
  /**
   * The documents behind a document, a list or a long list; those that are gone or hidden by now
   * are left out, unless a caller named them. Also those that a list of texts names.
   */
  many(value: Value): Promise<readonly DocumentRecord[]>
}

/** @param texts reads what texts name, where it is for somebody else to say what they may. */
export const createDocumentReader = (
  session: Session,
  transient: TransientStore,
  texts?: DocumentReader,
): DocumentReader => {
  /** What a run was given: whoever gave it learns which of it is not there. */
  const named = (ref: string): Promise<DocumentRecord> => getNamedDocument(session, ref, `The input ${ref}`)

  const byIds = async (ids: readonly string[]): Promise<DocumentRecord[]> =>
    keepReadable(session, await session.stores.documents.getMany(ids))

  const byRefs = async (refs: readonly string[]): Promise<DocumentRecord[]> => {
    if (!refs.some((ref) => ref.startsWith('/'))) return byIds(refs)
    // Each once: a caller may name one thousands of times.
    const distinct = [...new Set(refs)]
    const found = await Promise.all(distinct.map((ref) => session.stores.documents.get(ref)))
    const readable = await keepReadable(
      session,
      found.filter((document) => document !== undefined),
    )
    if (distinct.length === refs.length) return readable
    const byRef = new Map(distinct.map((ref, at) => [ref, found[at]]))
    const kept = new Set(readable)
    return refs.flatMap((ref) => byRef.get(ref) ?? []).filter((document) => kept.has(document))
  }

  const listed = async (value: Extract<Value, { type: 'documents' }>): Promise<readonly DocumentRecord[]> => {
    if (value.records) return value.records
    const found = await byRefs(value.ids)
    if (!value.mustExist || found.length === value.ids.length) return found
    return Promise.all(value.ids.map(named))
  }

  const one: DocumentReader['one'] = async ({ id, record, isOfOthers }) =>
    record ?? (isOfOthers ? getNamedDocument(session, id, 'What others have given') : named(id))

  return {
    one,
    many: async (value) => {
      if (value.type === 'document') return [await one(value)]
      if (value.type === 'documents') return listed(value)
      if (value.type === 'documentList') return byRefs(await transient.getList(value.key, 0, value.count))
      if (value.type === 'json' && Array.isArray(value.value)) {
        if (value.value.length > MAX_LISTED_DOCUMENTS)
          throw fail('tooLarge', `The input has more than ${MAX_LISTED_DOCUMENTS} entries`)
        const refs = value.value.filter((item): item is string => typeof item === 'string')
        if (refs.length === value.value.length)
          return texts ? texts.many(value) : Promise.all(refs.map(named))
      }
      throw fail('badRequest', `Documents are expected, but there is a value of type ${typeOf(value)}`)
    },
  }
}
