import type { DocumentRecord, Properties } from '../../../model/properties/index.js'
import { COMMENT_PROTECTED } from '../access/comment-rights.js'
import { isOfWorkflow } from '../access/workflow-documents.js'
import type { Session } from '../session.js'

/** Written by the repository itself; values sent by others than administrators are ignored (rest-documents.md §4). */
const PROTECTED = [
  'dc:created',
  'dc:modified',
  'dc:creator',
  'dc:contributors',
  'dc:lastContributor',
  ...COMMENT_PROTECTED,
]

const isProtected = (name: string): boolean => PROTECTED.includes(name) || isOfWorkflow(name)

export const withoutProtected = (session: Session, properties: Properties): Properties => {
  if (session.principal.isAdministrator || !Object.keys(properties).some(isProtected)) return properties
  return Object.fromEntries(Object.entries(properties).filter(([name]) => !isProtected(name)))
}

const hasDublincore = (session: Session, type: string, facets: readonly string[]): boolean =>
  session.model.schemasOf(type, facets).some((schema) => schema.name === 'dublincore')

/** Who created a document and when, for types that store it. */
export const creationProperties = (session: Session, type: string, facets: readonly string[]): Properties => {
  if (!hasDublincore(session, type, facets)) return {}
  const now = session.now.toISOString()
  const { name } = session.principal
  return {
    'dc:created': now,
    'dc:modified': now,
    'dc:creator': name,
    'dc:contributors': [name],
    'dc:lastContributor': name,
  }
}

/** Who changed a document last and when; a new contributor is added to the list. */
export const modificationProperties = (session: Session, document: DocumentRecord): Properties => {
  if (!hasDublincore(session, document.type, document.facets)) return {}
  const { name } = session.principal
  const known = document.properties['dc:contributors']
  const contributors = Array.isArray(known) ? known : []
  return {
    'dc:modified': session.now.toISOString(),
    'dc:lastContributor': name,
    ...(!contributors.includes(name) && { 'dc:contributors': [...contributors, name] }),
  }
}
