import { defineOperation, type Operation, VOID } from '../../language/index.js'

const save = defineOperation({
  id: 'Repository.SaveSession',
  aliases: ['Document.SaveSession'],
  label: 'Save Session',
  category: 'Execution Flow',
  description:
    'Passes the input on. Every change is in its transaction when its step ends, so that nothing is left to flush.',
  params: {},
  methods: ({ method }) => [method('void', 'void', async () => VOID)],
})

export const sessionOperations: readonly Operation[] = [save]
