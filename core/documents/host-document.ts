import type { HostDocument } from '../expressions/types.js'
import { getProperty } from '../properties/index.js'
import type { Session } from './session.js'
import type { DocumentRecord } from './types.js'
import { versionLabel } from './version-label.js'

/** A document as expressions may read it. */
export const hostDocument = ({ model }: Pick<Session, 'model'>, record: DocumentRecord): HostDocument => {
  const facets = model.facetsOf(record.type, record.facets)
  return {
    id: record.id,
    name: record.name,
    path: record.path,
    type: record.type,
    facets,
    schemas: model.schemasOf(record.type, record.facets).map((schema) => schema.name),
    state: record.lifecycleState,
    versionLabel: versionLabel(record),
    isProxy: record.isProxy,
    isVersion: record.isVersion,
    isLocked: record.lockOwner !== null,
    isFolder: facets.includes('Folderish'),
    get: (property) => getProperty(record.properties, { model, xpath: property }) ?? null,
  }
}
