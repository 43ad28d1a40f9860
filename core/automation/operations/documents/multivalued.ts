import {
  type DocumentRecord,
  getProperty,
  type Properties,
  type PropertyValue,
  setProperty,
} from '../../../model/properties/index.js'
import {
  defineOperation,
  documentValue,
  type Operation,
  type OperationContext,
  type Parameter,
} from '../../language/index.js'
import { SAVE } from '../shared/parameters.js'
import { readListItem } from '../shared/property-input.js'
import { applyChanges } from '../shared/unsaved.js'

const CATEGORY = 'Document'

const LIST_XPATH = {
  type: 'string',
  description: 'Xpath of a property that holds a list, such as dc:subjects.',
  isRequired: true,
  names: 'listProperty',
} as const satisfies Parameter

type Entry = { xpath: string; value: PropertyValue }

/**
 * The change of a list of single values; undefined when it stays as it is.
 *
 * @throws badRequest naming an xpath that is no such list, or a value that cannot stand in it.
 */
const listChange = async (
  { session, services, variables }: OperationContext,
  document: DocumentRecord,
  { xpath, value, edit }: Entry & { edit(list: PropertyValue[], item: PropertyValue): PropertyValue[] },
): Promise<Properties | undefined> => {
  const { model } = session
  const target = { model, blobs: services.blobs, variables, document }
  const { key, xpath: canonical, item } = await readListItem({ xpath, value }, target)
  const current = getProperty(document.properties, { model, xpath: canonical })
  const list = Array.isArray(current) ? current : []
  const edited = edit(list, item)
  if (edited.length === list.length) return undefined
  const properties = setProperty(document.properties, { model, xpath: canonical, value: edited })
  return { [key]: properties[key] ?? null }
}

const addItem = defineOperation({
  id: 'DocumentMultivaluedProperty.addItem',
  aliases: ['AddEntryToMultivaluedProperty'],
  label: 'Add entry into multi-valued metadata',
  category: CATEGORY,
  description: 'Adds a value to the end of a property that holds a list of single values.',
  params: {
    xpath: LIST_XPATH,
    value: {
      type: 'serializable',
      description: 'The value to add to the list.',
      isRequired: true,
      ofProperty: 'xpath',
    },
    save: SAVE,
    checkExists: { type: 'boolean', default: true, description: 'Leave a list alone that has the value.' },
  },
  methods: ({ iterating }) => [
    iterating('document', 'document', async ({ context, input, params }) => {
      const edit = (list: PropertyValue[], item: PropertyValue) =>
        params.checkExists && list.includes(item) ? list : [...list, item]
      const changes = await listChange(context, input, { ...params, edit })
      if (!changes) return documentValue(input)
      return documentValue(await applyChanges(context.session, input, { changes, save: params.save }))
    }),
  ],
})

const REMOVE_ALL = 'is Remove All'

const removeEntry = defineOperation({
  id: 'Document.RemoveEntryOfMultivaluedProperty',
  aliases: ['RemoveEntryOfMultivaluedProperty'],
  label: 'Remove Entry Of Multivalued Property',
  category: CATEGORY,
  description: 'Takes a value out of a property that holds a list of single values.',
  params: {
    xpath: LIST_XPATH,
    value: {
      type: 'serializable',
      description: 'The value to remove from the list.',
      isRequired: true,
      ofProperty: 'xpath',
    },
    save: SAVE,
    [REMOVE_ALL]: { type: 'boolean', default: true, description: 'Every such value, not only the first.' },
  },
  methods: ({ iterating }) => [
    iterating('document', 'document', async ({ context, input, params }) => {
      const edit = (list: PropertyValue[], item: PropertyValue) => {
        if (params[REMOVE_ALL]) return list.filter((value) => value !== item)
        const first = list.indexOf(item)
        return first < 0 ? list : list.toSpliced(first, 1)
      }
      const changes = await listChange(context, input, { ...params, edit })
      if (!changes) return documentValue(input)
      return documentValue(await applyChanges(context.session, input, { changes, save: params.save }))
    }),
  ],
})

export const multivaluedOperations: readonly Operation[] = [addItem, removeEntry]
