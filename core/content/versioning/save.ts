import type { DocumentRecord, Properties } from '../../model/properties/index.js'
import { requireAtomic } from '../../platform/errors/index.js'
import { withHiddenIds } from '../collections/index.js'
import {
  conditionTest,
  requirePermission,
  type Session,
  targetOf,
  updateDocument,
} from '../documents/index.js'
import { addVersion, checkIn, requireOption } from './check-in.js'
import { type Increment, versioningRegistry } from './policies/index.js'

export type SaveOptions = {
  /** The version that the caller asks for. NONE: no version at all; absent: what the policies say. */
  increment?: Increment | undefined
  /** Where the caller wrote the increment, for messages. */
  field?: string
  /** Of the modification, and of the version that is asked for. */
  comment?: string | undefined
  /** The client or feature that writes: part of the event. */
  source?: string | undefined
  facets?: readonly string[]
}

/**
 * Sets properties of a document, and creates the versions that its caller or the deployment's policies want
 * (workflow-audit.md §5). One statement when that is none.
 *
 * @returns the live document, and its new version when the caller asked for one.
 * @throws as `updateDocument`, badRequest for an increment that is not allowed.
 */
export const saveDocument = async (
  session: Session,
  document: DocumentRecord,
  sent: Properties,
  { increment, field = 'increment', comment, source, facets }: SaveOptions = {},
): Promise<{ document: DocumentRecord; version?: DocumentRecord }> => {
  await requirePermission(session, document, 'WriteProperties')
  if (document.isProxy) {
    const target = await targetOf(session, document)
    const saved = await saveDocument(session, target, sent, {
      increment,
      field,
      comment,
      source,
      ...(facets && { facets }),
    })
    return { ...saved, document: (await session.stores.documents.get(document.id)) ?? document }
  }
  const properties = await withHiddenIds(session, document, sent)
  const change = { comment, source, ...(facets && { facets }) }
  if (increment !== undefined) {
    requireOption(session, document, { increment, field })
    if (increment === 'NONE') return { document: await updateDocument(session, document, properties, change) }
    requireAtomic(session)
    const updated = await updateDocument(session, document, properties, change)
    return checkIn(session, updated, { increment, comment })
  }
  const { policy } = session.snapshot.get(versioningRegistry)
  const current = {
    ...document,
    ...(facets && { facets: [...facets] }),
    properties: { ...document.properties, ...properties },
  }
  const isTrue = conditionTest(session, { previous: document, current })
  const seen = { previous: document, current, username: session.principal.name, isTrue }
  const [before, after] = [await policy('before', seen), await policy('after', seen)]
  const kept =
    before === undefined || before === 'NONE' || document.isVersion
      ? document
      : (await addVersion(session, document, { increment: before })).document
  if (after !== undefined && after !== 'NONE') requireAtomic(session)
  const updated = await updateDocument(session, kept, properties, change)
  if (after === undefined || after === 'NONE') return { document: updated }
  return { document: (await addVersion(session, updated, { increment: after })).document }
}
