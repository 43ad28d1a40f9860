import {
  type DocumentRecord,
  defaultProperties,
  type Properties,
} from '../../../../model/properties/index.js'
import { fail } from '../../../../platform/errors/index.js'
import { announce } from '../../events.js'
import { childPath, documentName } from '../../names.js'
import type { Session } from '../../session.js'

/** The nil UUID (RFC 9562 §5.9): no document has it. */
const NO_DOCUMENT = '00000000-0000-0000-0000-000000000000'

/**
 * A document before its creation: the type's defaults and initial state, with the nil
 * UUID as its id.
 *
 * @throws badRequest for an unknown type or an illegal name.
 */
export const unsavedDocument = (
  { model }: Session,
  { parent, name, type }: { parent: DocumentRecord; name: string; type: string },
): DocumentRecord => {
  const documentType = model.types.get(type)
  if (!documentType) throw fail('badRequest', `Type: ${type} does not exist`)
  const legalName = documentName(name)
  return {
    ...parent,
    id: NO_DOCUMENT,
    parentId: parent.id,
    name: legalName,
    path: childPath(parent.path ?? '', legalName),
    position: null,
    type,
    facets: [],
    lifecycleState: model.lifecycles.get(documentType.lifecycle)?.initial ?? null,
    isVersion: false,
    isProxy: false,
    isCheckedIn: false,
    isTrashed: false,
    majorVersion: 0,
    minorVersion: 0,
    lockOwner: null,
    lockedAt: null,
    properties: defaultProperties(model.schemasOf(type, [])),
  }
}

const EMPTY = 'emptyDocumentModelCreated'

/** The properties that listeners set on a new document, before its caller's; needs a transaction if there are any. */
export const announcedEmpty = async (
  session: Session,
  wanted: { parent: DocumentRecord; name: string; type: string },
): Promise<Properties> =>
  session.listeners.of(EMPTY).length === 0 ? {} : announce(session, EMPTY, unsavedDocument(session, wanted))

/**
 * As `unsavedDocument`, with the properties that listeners set on a new document.
 *
 * @throws as `unsavedDocument`.
 */
export const emptyDocument = async (
  session: Session,
  wanted: { parent: DocumentRecord; name: string; type: string },
): Promise<DocumentRecord> => {
  const document = unsavedDocument(session, wanted)
  return { ...document, properties: { ...document.properties, ...(await announcedEmpty(session, wanted)) } }
}
