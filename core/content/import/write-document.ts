import type { DocumentRecord, Properties } from '../../model/properties/index.js'
import { fail } from '../../platform/errors/index.js'
import {
  addedFacet,
  childPath,
  createDocument,
  hasPermission,
  requirePermission,
  type Session,
} from '../documents/index.js'
import { saveDocument } from '../versioning/index.js'
import type { ArchivedDocument } from './archived-document.js'
import { readValue, type ValueFiles } from './values.js'

/** Takes note of what of an archive is left out. */
export type Warn = (message: string) => void

type Writing = { session: Session; files: ValueFiles; warn: Warn }

/** Facets that the deployment declares, beside those of the type. */
const facetsOf = ({ session: { model }, warn }: Writing, { type, facets }: ArchivedDocument, place: string) =>
  [...new Set(facets)].filter((facet) => {
    if (!model.facets.has(facet)) warn(`${place}: facet ${facet} is unknown, and left out`)
    return model.facets.has(facet) && !model.facetsOf(type, []).includes(facet)
  })

/**
 * The values of an archived document, by property.
 *
 * @throws badRequest for a field that its schema does not have.
 */
const propertiesOf = async (
  { session: { model }, files, warn }: Writing,
  { type, facets, schemas }: Pick<ArchivedDocument, 'type' | 'facets' | 'schemas'>,
  place: string,
): Promise<Properties> => {
  const own = new Map(model.schemasOf(type, [...facets]).map((schema) => [schema.name, schema]))
  const properties: Properties = {}
  for (const { name: schemaName, fields } of schemas) {
    const schema = own.get(schemaName)
    if (!schema) {
      warn(`${place}: a ${type} has no schema ${schemaName}, which is left out`)
      continue
    }
    for (const { name, node } of fields) {
      const field = schema.fields.get(name)
      if (!field) throw fail('badRequest', `${place}: schema ${schemaName} has no field '${name}'`)
      const xpath = `${schema.prefix}:${name}`
      properties[xpath] = await readValue(node, { field, xpath }, files)
    }
  }
  return properties
}

/** The state to begin in; undefined for the initial one. @throws forbidden without `WriteLifeCycle` on the folder. */
const stateOf = async (
  { session, warn }: Writing,
  { type, lifecycleState }: ArchivedDocument,
  { parent, place }: { parent: DocumentRecord; place: string },
): Promise<string | undefined> => {
  const lifecycle = session.model.lifecycles.get(session.model.types.get(type)?.lifecycle ?? '')
  if (!lifecycleState || lifecycleState === lifecycle?.initial) return undefined
  if (!lifecycle?.states.has(lifecycleState)) {
    warn(
      `${place}: the life cycle of ${type} has no state ${lifecycleState}; the document begins in its first`,
    )
    return undefined
  }
  await requirePermission(session, parent, 'WriteLifeCycle')
  return lifecycleState
}

const update = async (
  writing: Writing,
  current: DocumentRecord,
  { archived, place }: { archived: ArchivedDocument; place: string },
): Promise<DocumentRecord> => {
  const { session } = writing
  // The type stays what it is, so what its documents may have is said by that.
  const added = facetsOf(writing, { ...archived, type: current.type }, place)
  let facets: readonly string[] = current.facets
  let defaults: Properties = {}
  for (const facet of added) {
    const change = addedFacet(session, { ...current, facets: [...facets] }, facet)
    facets = change?.facets ?? facets
    defaults = { ...defaults, ...change?.properties }
  }
  const shape = { type: current.type, facets, schemas: archived.schemas }
  const properties = { ...defaults, ...(await propertiesOf(writing, shape, place)) }
  return (await saveDocument(session, current, properties, added.length > 0 ? { facets } : {})).document
}

/** The document at a path; undefined where there is none, or none that the caller may know of. */
export const findVisible = async (session: Session, path: string): Promise<DocumentRecord | undefined> => {
  const found = await session.stores.documents.get(path)
  return found && (await hasPermission(session, found, 'Browse')) ? found : undefined
}

/**
 * Writes one document of an archive below its folder: what is at its path already gets its properties and facets and
 * nothing else, what is not is created (blobs-conversions.md §7).
 *
 * @param place where it stands in the archive, for messages.
 * @throws as `createDocument` and `saveDocument`; badRequest for an unknown field.
 */
export const writeDocument = async (
  writing: Writing,
  {
    parent,
    name,
    archived,
    place,
  }: {
    parent: DocumentRecord
    name: string
    archived: ArchivedDocument
    place: string
  },
): Promise<{ document: DocumentRecord; isNew: boolean }> => {
  const { session } = writing
  const path = childPath(parent.path ?? '', name)
  const current = await findVisible(session, path)
  if (current) return { document: await update(writing, current, { archived, place }), isNew: false }
  const facets = facetsOf(writing, archived, place)
  const lifecycleState = await stateOf(writing, archived, { parent, place })
  const properties = await propertiesOf(writing, { ...archived, facets }, place)
  const document = await createDocument(session, {
    parent,
    name,
    type: archived.type,
    facets,
    properties,
    ...(lifecycleState !== undefined && { lifecycleState }),
  })
  return { document, isNew: true }
}
