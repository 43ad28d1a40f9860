import { defineOperation, documentValue, type Operation } from '../automation/index.js'
import { followTransition } from '../lifecycle/index.js'

const follow = defineOperation({
  id: 'Document.FollowLifecycleTransition',
  aliases: ['Document.SetLifeCycle'],
  label: 'Follow Lifecycle Transition',
  category: 'Document',
  description: 'Takes the input document along a transition of its life cycle.',
  params: { value: { type: 'string', isRequired: true, description: 'Name of the transition.' } },
  methods: ({ iterating }) => [
    iterating('document', 'document', async ({ context, input, params }) =>
      documentValue(await followTransition(context.session, input, params.value)),
    ),
  ],
})

export const lifecycleOperations: readonly Operation[] = [follow]
