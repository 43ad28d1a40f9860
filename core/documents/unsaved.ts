import { fail } from '../errors/index.js'
import { defaultProperties } from '../properties/index.js'
import { childPath, documentName } from './names.js'
import type { Session } from './session.js'
import type { DocumentRecord } from './types.js'

/** The nil UUID (RFC 9562 §5.9): whatever is looked up by it finds nothing. */
const NO_DOCUMENT = '00000000-0000-0000-0000-000000000000'

/**
 * What a document would be before anything is written into it: the type's defaults and initial state, with the nil
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
