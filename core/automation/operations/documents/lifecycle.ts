import { followTransition } from '../../../content/lifecycle/index.js'
import { defineOperation, documentValue, type Operation } from '../../language/index.js'

/** The variable of a run that holds what is to be said about a transition (workflow-audit.md §4). */
const COMMENT = 'comment'

const follow = defineOperation({
  id: 'Document.FollowLifecycleTransition',
  aliases: ['Document.SetLifeCycle'],
  label: 'Follow Lifecycle Transition',
  category: 'Document',
  description:
    'Takes the input document along a transition of its life cycle; the context variable comment is kept with it.',
  changesSubtree: true,
  params: {
    value: { type: 'string', isRequired: true, names: 'transition', description: 'Name of the transition.' },
  },
  methods: ({ iterating }) => [
    iterating('document', 'document', async ({ context, input, params }) => {
      const said = context.variables[COMMENT]
      const comment = said?.type === 'string' ? said.value : undefined
      return documentValue(await followTransition(context.session, input, params.value, { comment }))
    }),
  ],
})

export const lifecycleOperations: readonly Operation[] = [follow]
