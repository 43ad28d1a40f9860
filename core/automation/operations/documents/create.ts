import { createDocument } from '../../../content/documents/index.js'
import { fail } from '../../../platform/errors/index.js'
import { defineOperation, documentValue, type Operation } from '../../language/index.js'
import { readChanges } from '../shared/property-input.js'

const create = defineOperation({
  id: 'Document.Create',
  label: 'Create',
  category: 'Document',
  description: 'Makes a document below the input document; a name that is taken gives way to another.',
  params: {
    type: {
      type: 'string',
      description: 'Type of the new document.',
      isRequired: true,
      names: 'documentType',
    },
    name: { type: 'string', description: 'Untitled when absent, a number when empty.' },
    properties: {
      type: 'properties',
      description: 'Values of its properties by xpath.',
      names: 'property',
      ofType: 'type',
    },
  },
  methods: ({ iterating }) => [
    iterating(
      'document',
      'document',
      async ({ context: { session, services, variables }, input, params }) => {
        const { type, name, properties } = params
        if (!session.model.types.has(type)) throw fail('badRequest', `type: there is no type '${type}'`)
        const values = await readChanges(properties ?? {}, {
          model: session.model,
          blobs: services.blobs,
          variables,
          document: { type, facets: [], properties: {} },
        })
        const created = await createDocument(session, {
          parent: input,
          name: name ?? 'Untitled',
          type,
          properties: values,
        })
        return documentValue(created)
      },
    ),
  ],
})

export const documentCreateOperations: readonly Operation[] = [create]
