import { subscribe, unsubscribe } from '../../../content/notifications/index.js'
import { defineOperation, documentValue, type Operation, type Parameter } from '../../language/index.js'

const NOTIFICATIONS = {
  type: 'stringlist',
  description: 'Names of notifications; all of them when absent.',
} as const satisfies Parameter

const subscribeOperation = defineOperation({
  id: 'Document.Subscribe',
  label: 'Subscribe document',
  category: 'Document',
  description: 'Subscribes the caller to notifications about the input document.',
  params: { notifications: NOTIFICATIONS },
  methods: ({ iterating }) => [
    iterating('document', 'document', async ({ context, input, params }) =>
      documentValue(await subscribe(context.session, input, params.notifications)),
    ),
  ],
})

const unsubscribeOperation = defineOperation({
  id: 'Document.Unsubscribe',
  label: 'Unsubscribe document',
  category: 'Document',
  description: 'Ends subscriptions of the caller to the input document.',
  params: { notifications: NOTIFICATIONS },
  methods: ({ iterating }) => [
    iterating('document', 'document', async ({ context, input, params }) =>
      documentValue(await unsubscribe(context.session, input, params.notifications)),
    ),
  ],
})

export const notificationOperations: readonly Operation[] = [subscribeOperation, unsubscribeOperation]
