import { documentEvent, emit, emitWithoutDocument } from '../../../content/documents/index.js'
import { fail } from '../../../platform/errors/index.js'
import { FIRING_OPERATION } from '../../../platform/events/index.js'
import { throwIfStopped } from '../../../platform/limits/index.js'
import { defineOperation, type Operation, VOID } from '../../language/index.js'
import { isOfProduct } from '../shared/event-names.js'

const MAX_LENGTH = 200

/** @throws badRequest for a name that is none, or that of something which has not happened. */
const requireName = (name: string): string => {
  if (name.trim() === '' || name.length > MAX_LENGTH)
    throw fail('badRequest', `name: must have 1 to ${MAX_LENGTH} characters`)
  if (isOfProduct(name))
    throw fail('badRequest', `name: ${name} is an event of the product, which alone may emit it`)
  return name
}

const fire = defineOperation({
  id: FIRING_OPERATION,
  aliases: ['Notification.SendEvent'],
  label: 'Send Event',
  category: 'Notification',
  description: 'Emits an event of the input documents, or of none.',
  params: { name: { type: 'string', isRequired: true, description: 'Name of the event.' } },
  methods: ({ method }) => [
    method('void', 'void', async ({ context, params }) => {
      const { session, input } = context
      const event = requireName(params.name)
      await session.writes?.spend(0)
      const isAboutDocuments = ['document', 'documents', 'documentList'].includes(input.type)
      if (!isAboutDocuments) await emitWithoutDocument(session, { event, documentId: null, payload: {} })
      for (const document of isAboutDocuments ? await context.documents(input) : []) {
        throwIfStopped(context.signal)
        await session.writes?.spend(0)
        await emit(session, document, [documentEvent(event, document)])
      }
      return VOID
    }),
  ],
})

export const eventOperations: readonly Operation[] = [fire]
