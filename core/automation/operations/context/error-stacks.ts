import { defineOperation, type Operation } from '../../language/index.js'

const toggle = defineOperation({
  id: 'JsonStack.ToggleDisplay',
  label: 'Json Error Stack Display',
  category: 'Execution Context',
  description:
    'Turns stack traces in answers to errors on or off, in this process; returns whether they are on. Only administrators change it.',
  params: { enableTrace: { type: 'boolean', description: 'The other way round when absent.' } },
  methods: ({ method }) => [
    method('void', 'boolean', async ({ context: { services, session }, params }) => {
      const { switches } = services
      if (session.principal.isAdministrator)
        switches.includeStackTrace = params.enableTrace ?? !switches.includeStackTrace
      return { type: 'boolean', value: switches.includeStackTrace }
    }),
  ],
})

export const errorStackOperations: readonly Operation[] = [toggle]
