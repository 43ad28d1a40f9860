import { type Group, searchGroups, searchUsers, type User } from '../../../access/identity/index.js'
import { suggestTags } from '../../../content/tags/index.js'
import type { DocumentRecord } from '../../../model/properties/index.js'
import { getPageProvider, runPageProvider } from '../../../search/page-providers/index.js'
import { type SavedSearch, suggestSavedSearches } from '../../../search/saved-searches/index.js'
import { defineOperation, type Operation, type OperationContext } from '../../language/index.js'
import { addressOf } from '../collaboration/mail.js'
import { jsonBlob } from '../shared/json-blob.js'
import { searchTerm } from '../shared/parameters.js'

const DOCUMENTS = 'DEFAULT_DOCUMENT_SUGGESTION'

/** Suggestions of each kind. */
const MOST = 10

type Suggestion = {
  id: string
  label: string
  type: 'document' | 'user' | 'group' | 'tag' | 'savedSearch'
  icon: string | null
  thumbnailUrl: string | null
  url: string
}

const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)

const documentSuggestion = (context: OperationContext, document: DocumentRecord): Suggestion => ({
  id: document.id,
  label: textOf(document.properties['dc:title']) ?? document.name,
  type: 'document',
  icon:
    textOf(document.properties['common:icon']) ??
    context.session.model.types.get(document.type)?.icon ??
    null,
  thumbnailUrl: `${context.services.env['nuxeo.url']}/api/v1/id/${document.id}/@rendition/thumbnail`,
  url: addressOf(context, document),
})

const identitySuggestion = (
  { services }: OperationContext,
  { id, label, type }: Pick<Suggestion, 'id' | 'label'> & { type: 'user' | 'group' },
): Suggestion => ({
  id,
  label,
  type,
  icon: null,
  thumbnailUrl: null,
  url: `${services.env['nuxeo.url']}/ui/#!/${type}/${encodeURIComponent(id)}`,
})

const tagSuggestion = ({ services }: OperationContext, label: string): Suggestion => ({
  id: label,
  label,
  type: 'tag',
  icon: null,
  thumbnailUrl: null,
  url: `${services.env['nuxeo.url']}/ui/#!/search/default?ecm_tags=${encodeURIComponent(JSON.stringify([label]))}`,
})

const searchSuggestion = ({ services }: OperationContext, { id, title }: SavedSearch): Suggestion => ({
  id,
  label: title,
  type: 'savedSearch',
  icon: null,
  thumbnailUrl: null,
  url: `${services.env['nuxeo.url']}/ui/#!/search/saved/${id}`,
})

const userLabel = ({ firstName, lastName, username }: User): string =>
  [firstName, lastName].filter(Boolean).join(' ') || username

const groupLabel = ({ label, groupname }: Group): string => label || groupname

const suggestionsFor = async (context: OperationContext, term: string): Promise<Suggestion[]> => {
  const { session } = context
  const { identities } = session
  const page = { limit: MOST, offset: 0 }
  const [documents, users, groups, tags, searches] = await Promise.all([
    runPageProvider(session, getPageProvider(session, DOCUMENTS), {
      // A backslash before the end would take the wildcard its meaning.
      queryParams: [`${term.replaceAll('\\', '\\\\')}%`],
      named: {},
      sort: undefined,
      quickFilters: [],
      pageSize: MOST,
    }),
    searchUsers(identities, term, page),
    searchGroups(identities, term, page),
    suggestTags(session, term),
    suggestSavedSearches(session, term, MOST),
  ])
  const suggested = new Set(searches.map(({ id }) => id))
  return [
    ...documents.entries.flatMap((document) =>
      suggested.has(document.id) ? [] : [documentSuggestion(context, document)],
    ),
    ...users.entries.map((user) =>
      identitySuggestion(context, { id: user.username, label: userLabel(user), type: 'user' }),
    ),
    ...groups.entries.map((group) =>
      identitySuggestion(context, { id: group.groupname, label: groupLabel(group), type: 'group' }),
    ),
    ...tags.slice(0, MOST).map((label) => tagSuggestion(context, label)),
    ...searches.map((search) => searchSuggestion(context, search)),
  ]
}

/** What the search box of today's clients asks as somebody types. */
const launch = defineOperation({
  id: 'Search.SuggestersLauncher',
  label: 'Suggesters launcher',
  category: 'User Interface',
  description:
    'Gives, as JSON, what to offer to somebody who types: documents by the beginning of their titles, as far as the caller may browse them, users, groups, tags, and saved searches; at most ten of each.',
  isReadOnly: true,
  params: { searchTerm: searchTerm('Nothing is found for an empty one.') },
  methods: ({ method }) => [
    method('void', 'blob', async ({ context, params }) => {
      const term = params.searchTerm?.trim() ?? ''
      return jsonBlob(context.services, term === '' ? [] : await suggestionsFor(context, term))
    }),
  ],
})

export const suggesterOperations: readonly Operation[] = [launch]
