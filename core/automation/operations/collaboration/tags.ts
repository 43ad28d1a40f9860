import { addTags, removeAllTags, removeTags, suggestTags } from '../../../content/tags/index.js'
import { fail } from '../../../platform/errors/index.js'
import { defineOperation, documentValue, type Operation, type Parameter } from '../../language/index.js'
import { jsonBlob } from '../shared/json-blob.js'
import { searchTerm } from '../shared/parameters.js'

const CATEGORY = 'Services'

/** Tags of one call, on all documents of its input together. */
const MAX_TAGGED = 100_000

const TAGS = {
  type: 'stringlist',
  isRequired: true,
  mostPairs: MAX_TAGGED,
  description: 'Labels, of which lower case without spaces, slashes, quotes and percent signs is kept.',
} as const satisfies Parameter

const tag = defineOperation({
  id: 'Services.TagDocument',
  label: 'Tag Document',
  category: CATEGORY,
  description: 'Puts tags on the input document.',
  params: { tags: TAGS },
  methods: ({ iterating }) => [
    iterating('document', 'document', async ({ context, input, params }) =>
      documentValue(await addTags(context.session, input, params.tags)),
    ),
  ],
})

const untag = defineOperation({
  id: 'Services.UntagDocument',
  label: 'Untag Document',
  category: CATEGORY,
  description: 'Takes tags off the input document: own ones, or any with the right to write.',
  params: { tags: TAGS },
  methods: ({ iterating }) => [
    iterating('document', 'document', async ({ context, input, params }) =>
      documentValue(await removeTags(context.session, input, params.tags)),
    ),
  ],
})

const removeAll = defineOperation({
  id: 'Services.RemoveDocumentTags',
  label: 'Remove All Document Tags',
  category: CATEGORY,
  description: 'Takes all tags off the input document.',
  params: {},
  methods: ({ iterating }) => [
    iterating('document', 'document', async ({ context, input }) =>
      documentValue(await removeAllTags(context.session, input)),
    ),
  ],
})

/** As many as a document may have. */
const MAX_CHOSEN = 1_000

const chosenLabels = (text: string): string[] => {
  const labels = text.split(',', MAX_CHOSEN + 1)
  if (labels.length > MAX_CHOSEN) throw fail('badRequest', `value: names more than ${MAX_CHOSEN} tags`)
  return labels.filter((label) => label.trim() !== '')
}

const suggestion = (label: string) => ({ id: label, displayLabel: label })

const suggest = defineOperation({
  id: 'Tag.Suggestion',
  label: 'Get tag suggestion',
  category: CATEGORY,
  description:
    'Gives, as JSON, at most ten tags that begin with a text, from documents that the caller may see.',
  params: {
    searchTerm: searchTerm('Beginning of the tags.'),
    value: {
      type: 'string',
      description: 'Labels chosen already, with commas between: given back as they are.',
    },
    xpath: { type: 'string', description: 'Accepted for older clients.' },
  },
  methods: ({ method }) => [
    method('void', 'blob', async ({ context: { session, services }, params }) => {
      const chosen = params.value === undefined ? undefined : chosenLabels(params.value)
      const labels = chosen ?? (await suggestTags(session, params.searchTerm ?? ''))
      return jsonBlob(services, labels.map(suggestion))
    }),
  ],
})

export const tagOperations: readonly Operation[] = [tag, untag, removeAll, suggest]
