import { type DocumentRecord, getProperty, type PropertyValue } from '../../../model/properties/index.js'
import type { HostDocument } from '../../../platform/sandbox/expressions/index.js'
import type { Session } from '../session.js'
import { versionLabel } from './version-label.js'

/** What expressions read of a document. */
type Hosted = Pick<
  DocumentRecord,
  | 'id'
  | 'name'
  | 'path'
  | 'type'
  | 'facets'
  | 'lifecycleState'
  | 'isProxy'
  | 'isVersion'
  | 'lockOwner'
  | 'lockedAt'
  | 'majorVersion'
  | 'minorVersion'
  | 'isCheckedIn'
  | 'properties'
>

const textOf = (value: PropertyValue | undefined): string => (typeof value === 'string' ? value : '')

/** A document that a caller has sent and nobody has saved, as expressions may read it: what was sent, and its type. */
export const sentDocument = (
  session: Pick<Session, 'model'>,
  { name, type, facets, properties }: { [field: string]: PropertyValue },
): HostDocument =>
  hostDocument(session, {
    id: '',
    name: textOf(name),
    path: null,
    type: textOf(type),
    facets: Array.isArray(facets) ? facets.map(textOf) : [],
    lifecycleState: null,
    isProxy: false,
    isVersion: false,
    lockOwner: null,
    lockedAt: null,
    majorVersion: 0,
    minorVersion: 0,
    isCheckedIn: false,
    properties:
      typeof properties === 'object' && properties !== null && !Array.isArray(properties) ? properties : {},
  })

/** A document as expressions may read it. */
export const hostDocument = ({ model }: Pick<Session, 'model'>, record: Hosted): HostDocument => {
  const facets = model.facetsOf(record.type, record.facets)
  const schemas = model.schemasOf(record.type, record.facets)
  const valueAt = (xpath: string) => getProperty(record.properties, { model, xpath }) ?? null
  /** `Document.dublincore.title`, as the incumbent's templates write it. */
  const fieldsOf = (name: string) => {
    const schema = schemas.find((one) => one.name === name)
    if (schema === undefined) return null
    const { prefix, hasPrefix, fields } = schema
    return Object.fromEntries(
      [...fields.keys()].map((field) => [field, valueAt(hasPrefix ? `${prefix}:${field}` : field)]),
    )
  }
  return {
    id: record.id,
    name: record.name,
    path: record.path,
    type: record.type,
    facets,
    schemas: schemas.map((schema) => schema.name),
    state: record.lifecycleState,
    versionLabel: versionLabel(record),
    isProxy: record.isProxy,
    isVersion: record.isVersion,
    lockOwner: record.lockOwner,
    lockCreated: record.lockedAt,
    isFolder: facets.includes('Folderish'),
    get: (property) => valueAt(property) ?? fieldsOf(property),
  }
}
