import { createHash } from 'node:crypto'
import { bareMimeType } from '../../files/blobs/index.js'
import { convertersPoint } from '../../files/conversions/index.js'
import type { DocumentRecord } from '../../model/properties/index.js'
import type { Contributions } from '../../platform/contributions/index.js'
import type { Session } from '../documents/index.js'
import { type RenditionDefinition, renditionDefinitionsPoint } from './definitions-point.js'
import { mainFile } from './main-file.js'
import type { Rendition } from './rendition.js'

const covers = (pattern: string, mimeType: string): boolean =>
  pattern === mimeType || (pattern.endsWith('/*') && mimeType.startsWith(pattern.slice(0, -1)))

const isAvailable = (
  session: Session,
  document: DocumentRecord,
  { available: { types, facets, mimeTypes } = {}, operationChain, allowEmptyBlob }: RenditionDefinition,
): boolean => {
  const file = mainFile(session, document)
  if (!file && !(operationChain !== undefined && allowEmptyBlob)) return false
  const owned = session.model.facetsOf(document.type, document.facets)
  const mimeType = bareMimeType(file?.blob['mime-type'] ?? '')
  return (
    (types?.includes(document.type) ?? true) &&
    (facets?.some((facet) => owned.includes(facet)) ?? true) &&
    (mimeTypes?.some((pattern) => covers(pattern, mimeType)) ?? true)
  )
}

const VERSION_CHARACTERS = 12

/** Changes with the parameters of a definition, and with its converter. */
const versionOf = (
  contributions: Contributions,
  { converter, parameters = {} }: RenditionDefinition,
): string => {
  const made = contributions.get(convertersPoint).get(converter ?? '')
  return createHash('sha256')
    .update(JSON.stringify([converter, Object.entries(parameters).sort(), made]))
    .digest('hex')
    .slice(0, VERSION_CHARACTERS)
}

const commonOf = (name: string, definition: RenditionDefinition) => ({
  name,
  kind: definition.kind ?? 'nuxeo:rendition',
  icon: definition.icon ?? '/icons/file.png',
  isAvailable: (session: Session, document: DocumentRecord) => isAvailable(session, document, definition),
  sourceOf: mainFile,
})

const renditionOf = (
  contributions: Contributions,
  name: string,
  definition: RenditionDefinition,
): Rendition | undefined => {
  const { converter, operationChain, parameters = {} } = definition
  const common = commonOf(name, definition)
  if (operationChain !== undefined)
    return {
      ...common,
      isOfDocument: true,
      render: ({ document, tools }) => tools.chain(operationChain, document),
    }
  if (converter === undefined) return undefined
  return {
    ...common,
    version: versionOf(contributions, definition),
    render: async ({ session, document, tools }) => {
      const source = mainFile(session, document)?.blob
      return source && tools.convert(source, { converter, parameters })
    },
  }
}

/** The renditions that a deployment has contributed. */
export const contributedRenditions = ({ contributions }: Session): Rendition[] =>
  [...contributions.get(renditionDefinitionsPoint)].flatMap(
    ([name, definition]) => renditionOf(contributions, name, definition) ?? [],
  )

/** Whether what is made is kept, and whether each user has one of his own (blobs-conversions.md §3). */
export const keepingOf = (
  { contributions }: Session,
  { name }: Rendition,
): { isKept: boolean; isPerUser: boolean } => {
  const definition = contributions.get(renditionDefinitionsPoint).get(name)
  return { isKept: definition?.storeByDefault ?? false, isPerUser: definition?.variantPolicy === 'user' }
}

/** Names of the filters that must accept a document, also for one of the product's own. */
export const filtersOf = ({ contributions }: Session, { name }: Rendition): readonly string[] =>
  contributions.get(renditionDefinitionsPoint).get(name)?.filters ?? []

/** Whether lists show it. */
export const isVisible = ({ contributions }: Session, { name, isHidden = false }: Rendition): boolean =>
  contributions.get(renditionDefinitionsPoint).get(name)?.visible ?? !isHidden
