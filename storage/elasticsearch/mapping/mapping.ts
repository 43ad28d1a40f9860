import type { estypes } from '@elastic/elasticsearch'
import type { ContentModel } from '../../../core/model/content-model/index.js'
import type { IndexShape } from '../../../core/search/index-shape/index.js'
import { addedTo } from './added-fields.js'
import { KEYWORD, type Mapping, type Mappings, propertyMappings } from './fields.js'
import { metaOf } from './made-of.js'

const BOOLEAN: Mapping = { type: 'boolean' }
const DATE: Mapping = { type: 'date' }
const LONG: Mapping = { type: 'long' }

/** They come folded and cut into words already; what clients of the engine look for does not. */
const WORDS: Mapping = { type: 'text', analyzer: 'whitespace', search_analyzer: 'standard' }

/** What every document has, by the names of NXQL. */
const SYSTEM: Mappings = {
  'ecm:repository': KEYWORD,
  'ecm:uuid': KEYWORD,
  'ecm:name': KEYWORD,
  'ecm:title': KEYWORD,
  'ecm:path': KEYWORD,
  'ecm:paths': KEYWORD,
  'ecm:parentId': KEYWORD,
  'ecm:ancestorId': KEYWORD,
  'ecm:pos': LONG,
  'ecm:primaryType': KEYWORD,
  'ecm:mixinType': KEYWORD,
  'ecm:ownMixinType': KEYWORD,
  'ecm:currentLifeCycleState': KEYWORD,
  'ecm:isTrashed': BOOLEAN,
  'ecm:isProxy': BOOLEAN,
  'ecm:isVersion': BOOLEAN,
  'ecm:isCheckedIn': BOOLEAN,
  'ecm:isLatestVersion': BOOLEAN,
  'ecm:isLatestMajorVersion': BOOLEAN,
  'ecm:majorVersion': LONG,
  'ecm:minorVersion': LONG,
  'ecm:versionLabel': KEYWORD,
  'ecm:versionDescription': KEYWORD,
  'ecm:versionCreated': DATE,
  'ecm:versionVersionableId': KEYWORD,
  'ecm:proxyTargetId': KEYWORD,
  'ecm:proxyVersionableId': KEYWORD,
  'ecm:lockOwner': KEYWORD,
  'ecm:lockCreated': DATE,
  'ecm:tag': KEYWORD,
  'ecm:changeToken': KEYWORD,
  'ecm:scope': { type: 'integer' },
  'ecm:version': { type: 'long', index: false },
  'ecm:words': WORDS,
  'ecm:wordsA': WORDS,
  'ecm:wordsB': WORDS,
  'ecm:wordsD': WORDS,
}

/**
 * How an index holds documents. One index a repository, behind the alias of `aliasOf`; the id of an entry is that of
 * its document. Compilers of queries rely on this shape:
 *
 * - A property stands under its key (`dc:title`), what is below it as objects (`file:content.length`,
 *   `files:files.file.name`). Lists are arrays; the elements of a list of complex values are not distinguished, so that
 *   conditions on two fields of one element cannot be answered.
 * - Strings are keywords as they are, up to `MAX_KEYWORD` characters, and words in the subfield `fulltext`. Keywords
 *   sort by the bytes of their UTF-8, like the repository. Nulls, empty lists and empty objects are left out.
 * - Numbers, booleans and dates (ISO 8601 with milliseconds) have their types. A value that does not fit is left out.
 * - `ecm:…` are the special properties of NXQL. `ecm:mixinType` has all facets, `ecm:ownMixinType` those of the
 *   document beyond its type's. `ecm:isTrashed` is the mark alone: what NXQL asks also holds in the state `deleted`.
 *   `ecm:paths` has the path with those of all that is above it. `ecm:ancestorId` has the ids of all that is above; versions have neither it nor a path.
 * - `ecm:scope` is the id of the access scope that decides who may browse the document. Whoever asks sends the scopes
 *   that one may browse now, so that a change of an ACL is in force at once; what nobody may browse has none.
 * - `ecm:version` is the version of the entry, and `ecm:digest` that of what it was made of, which is not searched.
 * - `ecm:words` has the words of the repository's own full-text index in their order, folded, and separated by
 *   spaces; `ecm:wordsA`, `ecm:wordsB` and `ecm:wordsD` those of the indexes with these weights. They are searched,
 *   and not returned.
 *
 * Properties may have further fields below them, by contributions, and may be left out.
 *
 * Not in the index: entries of ACLs, what is unknown to the content model. `dynamic: false`: nothing unknown is
 * mapped, and nothing stops a document.
 */
export const mappingOf = (model: ContentModel, shape: IndexShape): estypes.MappingTypeMapping => ({
  _meta: metaOf(shape),
  dynamic: false,
  date_detection: false,
  numeric_detection: false,
  _source: { excludes: ['ecm:paths', 'ecm:words', 'ecm:wordsA', 'ecm:wordsB', 'ecm:wordsD'] },
  properties: { ...addedTo(propertyMappings(model), shape), ...SYSTEM },
})

/** Of a new index. Removed entries are remembered for an hour, in which a late write must not bring them back. */
export const INDEX_SETTINGS: estypes.IndicesIndexSettings = {
  number_of_shards: 1,
  auto_expand_replicas: '0-1',
  gc_deletes: '1h',
  'mapping.total_fields.limit': 20_000,
  'mapping.depth.limit': 100,
  'query.default_field': 'ecm:words',
}

/** While it is built nobody searches it, and whoever loses it builds it again: copies are made of it once it answers. */
export const BUILDING: estypes.IndicesIndexSettings = {
  refresh_interval: '-1',
  auto_expand_replicas: 'false',
  number_of_replicas: 0,
}

/** What such an index has again before it answers. */
export const BUILT: estypes.IndicesIndexSettings = {
  refresh_interval: null as never,
  auto_expand_replicas: '0-1',
}

/** The same with the analyzers that contributions add. */
export const settingsOf = ({ analysis }: IndexShape): estypes.IndicesIndexSettings => ({
  ...INDEX_SETTINGS,
  ...BUILDING,
  // Their parts are in the engine's own words.
  analysis: analysis as estypes.IndicesIndexSettingsAnalysis,
})
