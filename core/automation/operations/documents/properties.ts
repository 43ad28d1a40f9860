import { getDocument, incrementProperties, requireChangeToken } from '../../../content/documents/index.js'
import { removeProperty } from '../../../model/properties/index.js'
import { defineOperation, documentValue, type Operation } from '../../language/index.js'
import { SAVE } from '../shared/parameters.js'
import { readChanges, readScalarChange, requireField } from '../shared/property-input.js'
import { applyChanges, saveUnsaved } from '../shared/unsaved.js'

const CATEGORY = 'Document'

const update = defineOperation({
  id: 'Document.Update',
  label: 'Update Properties',
  category: CATEGORY,
  description: 'Sets properties of the input document; an empty value clears one.',
  params: {
    properties: {
      type: 'properties',
      description: 'New values of properties by xpath.',
      isRequired: true,
      names: 'property',
    },
    save: SAVE,
    changeToken: { type: 'string', description: 'Refuse with 409 when the document has changed since.' },
  },
  methods: ({ iterating }) => [
    iterating(
      'document',
      'document',
      async ({ context: { session, services, variables }, input, params }) => {
        if (params.changeToken) requireChangeToken(input, params.changeToken)
        const changes = await readChanges(params.properties, {
          model: session.model,
          blobs: services.blobs,
          variables,
          document: input,
        })
        return documentValue(await applyChanges(session, input, { changes, save: params.save }))
      },
    ),
  ],
})

const save = defineOperation({
  id: 'Document.Save',
  label: 'Save',
  category: CATEGORY,
  description: 'Writes the changes that earlier steps made to the input document without saving it.',
  params: {},
  methods: ({ iterating }) => [
    iterating('document', 'document', async ({ context, input }) =>
      documentValue(await saveUnsaved(context.session, input)),
    ),
  ],
})

const setProperty = defineOperation({
  id: 'Document.SetProperty',
  label: 'Update Property',
  category: CATEGORY,
  description: 'Sets one property that holds a single value; without a value it is cleared.',
  params: {
    xpath: {
      type: 'string',
      description: 'Xpath of the property, such as dc:title.',
      isRequired: true,
      names: 'singleProperty',
    },
    value: {
      type: 'serializable',
      description: 'The new value; absent: the property is cleared.',
      ofProperty: 'xpath',
    },
    save: SAVE,
  },
  methods: ({ iterating }) => [
    iterating(
      'document',
      'document',
      async ({ context: { session, services, variables }, input, params }) => {
        const target = { model: session.model, blobs: services.blobs, variables, document: input }
        const changes = await readScalarChange({ xpath: params.xpath, value: params.value }, target)
        return documentValue(await applyChanges(session, input, { changes, save: params.save }))
      },
    ),
  ],
})

const removeValue = defineOperation({
  id: 'Document.RemoveProperty',
  label: 'Remove Property',
  category: CATEGORY,
  description: 'Clears a property: a list is emptied, an item of a list taken out.',
  params: {
    xpath: {
      type: 'string',
      description: 'Xpath of the property, such as dc:title.',
      isRequired: true,
      names: 'property',
    },
    save: SAVE,
  },
  methods: ({ iterating }) => [
    iterating('document', 'document', async ({ context: { session }, input, params }) => {
      const { model } = session
      const { key, xpath } = requireField(model, input, params.xpath)
      const changes = { [key]: removeProperty(input.properties, { model, xpath })[key] ?? null }
      return documentValue(await applyChanges(session, input, { changes, save: params.save }))
    }),
  ],
})

const reload = defineOperation({
  id: 'Document.Reload',
  label: 'Reset',
  category: CATEGORY,
  description: 'Reads the input document anew, without what earlier steps changed and did not save.',
  params: {},
  methods: ({ iterating }) => [
    iterating('document', 'document', async ({ context, input }) =>
      documentValue(await getDocument(context.session, input.id)),
    ),
  ],
})

const incrementProperty = defineOperation({
  id: 'Document.IncrementProperty',
  label: 'Increment Property',
  category: CATEGORY,
  description:
    'Adds to an integer property, at once and without losing what others add meanwhile; no value counts as 0.',
  params: {
    xpath: {
      type: 'string',
      description: 'Xpath of a property that holds a whole number.',
      isRequired: true,
      names: 'singleProperty',
    },
    by: { type: 'long', default: 1, description: 'Below 0 to take away.' },
  },
  methods: ({ iterating }) => [
    iterating('document', 'document', async ({ context: { session }, input, params }) => {
      const stored = await saveUnsaved(session, input)
      return documentValue(await incrementProperties(session, stored, [params]))
    }),
  ],
})

export const documentPropertyOperations: readonly Operation[] = [
  update,
  save,
  setProperty,
  removeValue,
  reload,
  incrementProperty,
]
