import { defineOperation, type Operation } from '../../language/index.js'

const list = defineOperation({
  id: 'GetRepositories',
  label: 'List repository names on the server',
  category: 'Services',
  description: 'Gives the names of the repositories of this server.',
  params: {},
  methods: ({ method }) => [
    method('void', 'object', async ({ context: { services } }) => ({
      type: 'json',
      value: [...services.repositories],
    })),
  ],
})

export const repositoryOperations: readonly Operation[] = [list]
