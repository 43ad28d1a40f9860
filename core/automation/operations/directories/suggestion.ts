import { type Suggestion, suggestEntries } from '../../../content/directories/index.js'
import { fail } from '../../../platform/errors/index.js'
import { defineOperation, type Operation, VOID } from '../../language/index.js'
import { jsonBlob } from '../shared/json-blob.js'
import { searchTerm } from '../shared/parameters.js'

/** A suggestion as clients draw it (reference: automation.md §11): the entry's values beside what is shown of it. */
const suggestionJson = ({
  directory,
  entry,
  label,
  computedId,
  absoluteLabel,
  children,
}: Suggestion): object => ({
  ...entry.properties,
  id: entry.id,
  displayLabel: label,
  directoryName: directory,
  properties: entry.properties,
  'entity-type': 'directoryEntry',
  ...(children && { computedId, absoluteLabel }),
  ...(children && children.length > 0 && { children: children.map(suggestionJson) }),
})

const MAX_SEPARATOR = 100

/** Between the ids and labels of each entry: a long one would make an answer of any size. */
const short = (name: string, separator: string): string => {
  if (separator.length <= MAX_SEPARATOR) return separator
  throw fail('badRequest', `${name}: has more than ${MAX_SEPARATOR} characters`)
}

const suggest = defineOperation({
  id: 'Directory.SuggestEntries',
  label: 'Get directory entries',
  category: 'Services',
  description:
    'Gives, as JSON, what to offer of a directory to somebody who types; hierarchical vocabularies as trees.',
  params: {
    directoryName: {
      type: 'string',
      isRequired: true,
      names: 'directory',
      description: 'Name of the directory.',
    },
    localize: { type: 'boolean', default: false, description: 'Labels are those of the language.' },
    lang: { type: 'string', description: 'Code of a language; English when absent.' },
    searchTerm: { ...searchTerm('Beginning of the labels.'), aliases: ['prefix'] },
    labelFieldName: {
      type: 'string',
      default: 'label',
      description: 'The field that is shown and searched.',
    },
    dbl10n: { type: 'boolean', default: false, description: 'There is a label field for each language.' },
    canSelectParent: {
      type: 'boolean',
      default: false,
      description: 'Entries with others below them can be chosen.',
    },
    filterParent: { type: 'boolean', default: false, description: 'A parent that fits brings all below it.' },
    keySeparator: { type: 'string', default: '/', description: 'Between the ids in `computedId`.' },
    displayObsoleteEntries: {
      type: 'boolean',
      description: 'Whether obsolete entries are suggested as well.',
      default: false,
    },
    contains: { type: 'boolean', default: false, description: 'The text may be anywhere in a label.' },
    caseSensitive: {
      type: 'boolean',
      description: 'Whether upper and lower case are different.',
      default: false,
    },
    absoluteLabelSeparator: {
      type: 'string',
      default: '/',
      description: 'Between the labels in `absoluteLabel`.',
    },
  },
  methods: ({ method }) => [
    method('void', 'blob', async ({ context: { session, services }, params }) => {
      if (!session.directories.registry.has(params.directoryName)) return VOID
      const suggestions = await suggestEntries(session, params.directoryName, {
        term: params.searchTerm ?? '',
        // The field for one language may be named itself, as `label_{lang}`.
        labelField: params.labelFieldName.replace(/_(?:\{lang\})?$/, ''),
        language: params.lang ?? 'en',
        isContained: params.contains,
        isCaseSensitive: params.caseSensitive,
        canSelectParent: params.canSelectParent,
        filterParent: params.filterParent,
        withObsolete: params.displayObsoleteEntries,
        keySeparator: short('keySeparator', params.keySeparator),
        labelSeparator: short('absoluteLabelSeparator', params.absoluteLabelSeparator),
      })
      return jsonBlob(services, suggestions.map(suggestionJson))
    }),
  ],
})

export const directorySuggestionOperations: readonly Operation[] = [suggest]
