import type { BusinessObject } from '../../../content/business-objects/index.js'
import { getDocument } from '../../../content/documents/index.js'
import { fail } from '../../../platform/errors/index.js'
import { defineOperation, type Operation, type Value } from '../../language/index.js'

const CATEGORY = 'Business'

type Sent = Extract<Value, { type: 'entity' }>

/** The business object that came in. @throws badRequest for input of any other kind. */
const requireObject = (input: Value): Sent => {
  if (input.type === 'entity') return input
  throw fail(
    'badRequest',
    'input: a business object is expected, {"entity-type": "<its name>", "value": {…}}',
  )
}

/** @throws badRequest for an object that does not say of which document it is. */
const documentIdOf = ({ value }: Sent): string => {
  const { id } = value
  if (typeof id === 'string' && id !== '') return id
  throw fail('badRequest', 'input.value.id: the id of the document is missing')
}

const entityOf = ({ 'entity-type': entityType, value }: BusinessObject): Value => ({
  type: 'entity',
  entityType,
  value,
})

const create = defineOperation({
  id: 'Business.BusinessCreateOperation',
  label: 'BusinessCreateOperation',
  category: CATEGORY,
  description: 'Makes a document from the input business object.',
  params: {
    parentPath: { type: 'string', isRequired: true, description: 'Path or id of the parent' },
    name: { type: 'string', isRequired: true, description: 'Name of the document' },
  },
  methods: ({ method }) => [
    method('object', 'object', async ({ context, input, params }) => {
      const { session, services } = context
      const { entityType: adapter, value } = requireObject(input)
      const document = await services.businessObjects.create(session, {
        parent: params.parentPath,
        name: params.name,
        adapter,
        value,
      })
      return entityOf(await services.businessObjects.read(session, document, { adapter }))
    }),
  ],
})

const fetch = defineOperation({
  id: 'Business.BusinessFetchOperation',
  label: 'BusinessFetchOperation',
  category: CATEGORY,
  description: 'Gives the business object of the document that the input names by its id.',
  params: {},
  methods: ({ method }) => [
    method('object', 'object', async ({ context, input }) => {
      const { session, services } = context
      const sent = requireObject(input)
      const document = await getDocument(session, documentIdOf(sent))
      return entityOf(await services.businessObjects.read(session, document, { adapter: sent.entityType }))
    }),
  ],
})

const update = defineOperation({
  id: 'Business.BusinessUpdateOperation',
  label: 'BusinessUpdateOperation',
  category: CATEGORY,
  description: 'Writes the fields of the input business object to its document.',
  params: {},
  methods: ({ method }) => [
    method('object', 'object', async ({ context, input }) => {
      const { session, services } = context
      const sent = requireObject(input)
      const { entityType: adapter, value } = sent
      const document = await getDocument(session, documentIdOf(sent))
      const updated = await services.businessObjects.update(session, document, { adapter, value })
      return entityOf(await services.businessObjects.read(session, updated, { adapter }))
    }),
  ],
})

/** Business objects as input and output (automation.md, table of operations, Business). */
export const businessOperations: readonly Operation[] = [create, fetch, update]
