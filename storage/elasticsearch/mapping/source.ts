import type { IndexedDocument } from '../../../core/content/stores/index.js'
import type { ContentModel, Field } from '../../../core/model/content-model/index.js'
import type { DocumentRecord, PropertyValue } from '../../../core/model/properties/index.js'
import { shortened } from '../../../core/platform/limits/index.js'
import { entryDigest } from '../../../core/search/indexing/index.js'
import { pathsTo } from './paths.js'

/** An entry of an index, by the fields of `mappingOf`. */
export type Source = { [field: string]: unknown }

const isObject = (value: PropertyValue): value is { [field: string]: PropertyValue } =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Of longer texts the index has the words of the beginning. The repository's own words, `ecm:words`, are all there. */
const MAX_TEXT = 100_000

/** What a field may hold, without nulls and what is empty; undefined when nothing is left. */
const indexedValue = (value: PropertyValue | undefined, field: Field): PropertyValue | undefined => {
  if (value === null || value === undefined) return undefined
  if (field.isList !== Array.isArray(value)) return undefined
  if (Array.isArray(value)) {
    const one = { ...field, isList: false }
    const items = value.flatMap((item) => indexedValue(item, one) ?? [])
    return items.length === 0 ? undefined : items
  }
  if (field.type === 'blob') return isObject(value) ? value : undefined
  if (field.type === 'binary') return undefined
  if (field.type !== 'complex') {
    if (typeof value === 'string') return shortened(value, MAX_TEXT)
    return isObject(value) ? undefined : value
  }
  if (!isObject(value)) return undefined
  const fields = field.fields.flatMap((nested) => {
    const own = indexedValue(value[nested.name], nested)
    return own === undefined ? [] : [[nested.name, own] as const]
  })
  return fields.length === 0 ? undefined : Object.fromEntries(fields)
}

const propertiesOf = (
  { properties }: DocumentRecord,
  { model, excludes }: { model: ContentModel; excludes: readonly string[] },
): Source => {
  const source: Source = {}
  for (const key in properties) {
    const field = excludes.includes(key) ? undefined : model.resolve(key)?.field
    const own = field && indexedValue(properties[key], field)
    if (own !== undefined) source[key] = own
  }
  return source
}

const tagsOf = ({ properties }: DocumentRecord): string[] => {
  const tags = properties['nxtag:tags']
  if (!Array.isArray(tags)) return []
  return tags.flatMap((tag) => (isObject(tag) && typeof tag.label === 'string' ? [tag.label] : []))
}

const titleOf = ({ properties, name }: DocumentRecord) => {
  const title = properties['dc:title'] ?? name
  return typeof title === 'string' ? shortened(title, MAX_TEXT) : title
}

const systemOf = (record: DocumentRecord, model: ContentModel): Source => ({
  'ecm:uuid': record.id,
  'ecm:name': record.name,
  'ecm:title': titleOf(record),
  'ecm:path': record.path,
  'ecm:paths': record.path ? pathsTo(record.path) : [],
  'ecm:parentId': record.parentId,
  'ecm:pos': record.position,
  'ecm:primaryType': record.type,
  'ecm:mixinType': model.facetsOf(record.type, record.facets),
  'ecm:ownMixinType': record.facets,
  'ecm:currentLifeCycleState': record.lifecycleState,
  'ecm:isTrashed': record.isTrashed,
  'ecm:isProxy': record.isProxy,
  'ecm:isVersion': record.isVersion,
  'ecm:isCheckedIn': record.isCheckedIn,
  'ecm:isLatestVersion': record.isLatestVersion,
  'ecm:isLatestMajorVersion': record.isLatestMajorVersion,
  'ecm:majorVersion': record.majorVersion,
  'ecm:minorVersion': record.minorVersion,
  'ecm:versionLabel': record.versionLabel,
  'ecm:versionDescription': record.versionDescription,
  'ecm:versionCreated': record.versionCreatedAt,
  'ecm:versionVersionableId': record.versionSeriesId,
  'ecm:proxyTargetId': record.proxyTargetId,
  'ecm:proxyVersionableId': record.proxyVersionSeriesId,
  'ecm:lockOwner': record.lockOwner,
  'ecm:lockCreated': record.lockedAt,
  'ecm:tag': tagsOf(record),
  'ecm:changeToken': `${record.systemToken}-${record.userToken}`,
})

/** Words as texts, all of them and by their weights, in one walk: documents have hundreds. */
const textsOf = (words: IndexedDocument['words']): Source => {
  const texts = { all: '', A: '', B: '', C: '', D: '' }
  for (const { word, weight } of words) {
    texts.all += texts.all === '' ? word : ` ${word}`
    texts[weight] += texts[weight] === '' ? word : ` ${word}`
  }
  return { 'ecm:words': texts.all, 'ecm:wordsA': texts.A, 'ecm:wordsB': texts.B, 'ecm:wordsD': texts.D }
}

/** An empty text is a value, such as the name of the root. */
const isEmpty = (value: unknown): boolean =>
  value === null || value === undefined || (Array.isArray(value) && value.length === 0)

/** What is indexed of a document. */
export const sourceOf = (
  document: IndexedDocument,
  { model, repository, excludes }: { model: ContentModel; repository: string; excludes: readonly string[] },
): Source => {
  const { record, scope, ancestors, words } = document
  const source = propertiesOf(record, { model, excludes })
  const more: Source = {
    ...systemOf(record, model),
    'ecm:repository': repository,
    'ecm:ancestorId': ancestors,
    'ecm:scope': scope,
    'ecm:digest': entryDigest(document),
    ...textsOf(words),
  }
  for (const field in more) if (!isEmpty(more[field])) source[field] = more[field]
  return source
}
