import { renditionNames } from '../../../content/renditions/index.js'
import { defineOperation, type Operation } from '../../language/index.js'
import { jsonBlob } from '../shared/json-blob.js'
import { searchTerm } from '../shared/parameters.js'

const suggest = defineOperation({
  id: 'RenditionDefinition.Suggestion',
  label: 'Get rendition definition suggestion',
  category: 'Services',
  description: 'Gives, as JSON, the renditions whose names begin with a text.',
  params: { searchTerm: searchTerm('Nothing is found for an empty one.') },
  methods: ({ method }) => [
    method('void', 'blob', ({ context: { services }, params }) => {
      const term = params.searchTerm?.trim().toLowerCase() ?? ''
      const found = term === '' ? [] : renditionNames.filter((name) => name.toLowerCase().startsWith(term))
      return jsonBlob(
        services,
        found.map((name) => ({ id: name, displayLabel: name })),
      )
    }),
  ],
})

export const renditionSuggestionOperations: readonly Operation[] = [suggest]
