import { lockDocument, unlockDocument } from '../../../content/documents/index.js'
import { defineOperation, documentValue, type Operation } from '../../language/index.js'

const CATEGORY = 'Document'

const lock = defineOperation({
  id: 'Document.Lock',
  label: 'Lock',
  category: CATEGORY,
  description: 'Locks the input document for the caller, who alone may change it from then on.',
  params: {
    owner: {
      type: 'string',
      description: 'Accepted for older clients; a lock always belongs to the caller.',
    },
  },
  methods: ({ iterating }) => [
    iterating('document', 'document', async ({ context, input }) =>
      documentValue(await lockDocument(context.session, input)),
    ),
  ],
})

const unlock = defineOperation({
  id: 'Document.Unlock',
  label: 'Unlock',
  category: CATEGORY,
  description: 'Takes the lock of the input document away.',
  params: {},
  methods: ({ iterating }) => [
    iterating('document', 'document', async ({ context, input }) =>
      documentValue(await unlockDocument(context.session, input)),
    ),
  ],
})

export const documentLockOperations: readonly Operation[] = [lock, unlock]
