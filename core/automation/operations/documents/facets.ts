import { addedFacet, removedFacet } from '../../../content/documents/index.js'
import { defineOperation, documentValue, type Operation } from '../../language/index.js'
import { SAVE } from '../shared/parameters.js'
import { applyFacets } from '../shared/unsaved.js'

const CATEGORY = 'Document'
const FACET = { type: 'string', isRequired: true, names: 'facet', description: 'Name of the facet.' } as const

const add = defineOperation({
  id: 'Document.AddFacet',
  label: 'Add Facet',
  category: CATEGORY,
  description: 'Gives the input document a facet, with the properties of the schemas that it brings.',
  params: { facet: FACET, save: SAVE },
  methods: ({ iterating }) => [
    iterating('document', 'document', async ({ context: { session }, input, params }) => {
      const change = addedFacet(session, input, params.facet)
      if (!change) return documentValue(input)
      return documentValue(await applyFacets(session, input, { change, save: params.save }))
    }),
  ],
})

const remove = defineOperation({
  id: 'Document.RemoveFacet',
  label: 'Remove Facet',
  category: CATEGORY,
  description:
    'Takes a facet of its own from the input document, with the properties that no other schema has.',
  params: { facet: FACET, save: SAVE },
  methods: ({ iterating }) => [
    iterating('document', 'document', async ({ context: { session }, input, params }) => {
      const change = removedFacet(session, input, params.facet)
      if (!change) return documentValue(input)
      return documentValue(await applyFacets(session, input, { change, save: params.save }))
    }),
  ],
})

export const facetOperations: readonly Operation[] = [add, remove]
