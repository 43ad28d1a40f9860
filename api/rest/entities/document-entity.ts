import { LRUCache } from 'lru-cache'
import { changeToken, seriesOf, versionLabel } from '../../../core/content/documents/index.js'
import type { ContentModel, Schema } from '../../../core/model/content-model/index.js'
import {
  type DocumentRecord,
  type Properties,
  writeProperties,
} from '../../../core/model/properties/index.js'
import type { Links } from './links.js'
import type { Rendering } from './rendering.js'

export type DocumentEntity = {
  'entity-type': 'document'
  contextParameters?: object
  [field: string]: unknown
}

/** What all documents of one type and the same facets have in common, computed once. */
type Frame = {
  facets: readonly string[]
  schemas: readonly { name: string; prefix: string }[]
  hasDublincore: boolean
  /** Properties of version numbers; documents without them have no label. */
  hasVersionNumbers: boolean
  all: readonly Schema[]
  /** Of the type, for documents that have none of their own. */
  icon: string | undefined
}

export type WriteDocument = (
  document: DocumentRecord,
  options: { rendering: Rendering; links: Links },
) => DocumentEntity

/** Callers choose instance facets, so that the cache is bounded. */
const MAX_FRAMES = 2_048

const createFrames = (model: ContentModel) => {
  const frames = new LRUCache<string, Frame>({ max: MAX_FRAMES })
  return ({ type, facets }: DocumentRecord): Frame => {
    const key = facets.length === 0 ? type : JSON.stringify([type, ...facets])
    const known = frames.get(key)
    if (known) return known
    const all = model.schemasOf(type, facets)
    const frame: Frame = {
      facets: model.facetsOf(type, facets),
      schemas: all.map(({ name, prefix }) => ({ name, prefix })),
      hasDublincore: all.some(({ name }) => name === 'dublincore'),
      hasVersionNumbers: all.some(({ name }) => name === 'uid'),
      all,
      icon: model.types.get(type)?.icon,
    }
    frames.set(key, frame)
    return frame
  }
}

const selectedSchemas = ({ all }: Frame, { properties }: Rendering): readonly Schema[] =>
  properties.includes('*') ? all : all.filter(({ name }) => properties.includes(name))

const titleOf = ({ name, properties }: DocumentRecord): unknown => properties['dc:title'] || name

const ICON = 'common:icon'

const withIcon = (properties: Properties, { icon }: Frame): Properties =>
  icon === undefined || properties[ICON] ? properties : { ...properties, [ICON]: icon }

const propertiesOf = (
  document: DocumentRecord,
  frame: Frame,
  { rendering, links }: { rendering: Rendering; links: Links },
): Properties =>
  writeProperties(withIcon(document.properties, frame), {
    schemas: selectedSchemas(frame, rendering),
    blobUrl: (xpath) => links.blob(document.id, xpath),
  })

/** Writes the document entity of rest-documents.md §2, its keys in that order; without enrichers. */
export const createDocumentWriter = (model: ContentModel): WriteDocument => {
  const frameOf = createFrames(model)
  return (document, options) => {
    const { rendering } = options
    const frame = frameOf(document)
    const modified = frame.hasDublincore ? document.properties['dc:modified'] : undefined
    const isOutOfTree = document.isVersion || document.isProxy
    const isLockShown = document.lockOwner !== null && rendering.fetch.includes('lock')
    return {
      'entity-type': 'document',
      repository: options.links.repository,
      uid: document.id,
      path: document.path ?? `/${document.name}`,
      type: document.type,
      state: document.lifecycleState,
      parentRef: document.path === '/' ? '/' : document.parentId,
      isCheckedOut: !document.isVersion && !document.isCheckedIn,
      isRecord: false,
      retainUntil: null,
      hasLegalHold: false,
      isUnderRetentionOrLegalHold: false,
      isVersion: document.isVersion,
      isProxy: document.isProxy,
      ...(document.isProxy && { proxyTargetId: document.proxyTargetId }),
      ...(isOutOfTree && { versionableId: seriesOf(document) }),
      changeToken: changeToken(document),
      isTrashed: document.isTrashed,
      title: titleOf(document),
      ...(rendering.fetch.includes('versionLabel') && {
        versionLabel: frame.hasVersionNumbers ? versionLabel(document) : '',
      }),
      ...(isLockShown && { lockOwner: document.lockOwner, lockCreated: document.lockedAt?.toISOString() }),
      ...(modified && { lastModified: modified }),
      ...(rendering.properties.length > 0 && { properties: propertiesOf(document, frame, options) }),
      facets: frame.facets,
      schemas: frame.schemas,
    }
  }
}
