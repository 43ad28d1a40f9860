import { availableActions } from '../../../content/enrichers/index.js'
import type { DocumentRecord } from '../../../model/properties/index.js'
import { defineOperation, type Operation, type OperationContext, type Value } from '../../language/index.js'
import { jsonBlob } from '../shared/json-blob.js'

const list = async (
  { session, services }: OperationContext,
  category: string,
  document?: DocumentRecord,
): Promise<Value> => {
  const actions = await availableActions(session, category, document)
  return jsonBlob(
    services,
    actions.map(({ id, link, icon, label, help, properties }) => ({
      id,
      link: link ?? null,
      icon: icon ?? null,
      label: label ?? id,
      help: help ?? null,
      properties,
    })),
  )
}

const get = defineOperation({
  id: 'Actions.GET',
  label: 'List available actions',
  category: 'Services',
  description:
    'Gives, as JSON, what a user interface may offer the caller, on the input document or on none.',
  params: {
    category: { type: 'string', isRequired: true, description: 'Where the actions are shown.' },
    lang: { type: 'string', description: 'Accepted for older clients: actions have one label.' },
  },
  methods: ({ method }) => [
    method('void', 'blob', ({ context, params }) => list(context, params.category)),
    method('document', 'blob', ({ context, input, params }) => list(context, params.category, input)),
  ],
})

export const actionOperations: readonly Operation[] = [get]
