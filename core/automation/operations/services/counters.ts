import { defineOperation, type Operation } from '../../language/index.js'
import { jsonBlob } from '../shared/json-blob.js'

const get = defineOperation({
  id: 'Counters.GET',
  label: 'Retrieve counters values',
  category: 'Services',
  description:
    'Gives a JSON file with what counters of this process have been for the last ten minutes, the change of each value, and their speed a second.',
  isAdministrative: true,
  isReadOnly: true,
  params: {
    counterNames: {
      type: 'stringlist',
      isRequired: true,
      description: 'Names of counters as at `/metrics`, without labels. One that is not known has no values.',
    },
  },
  methods: ({ method }) => [
    method('void', 'blob', async ({ context: { services }, params }) =>
      jsonBlob(services, await services.counters(params.counterNames)),
    ),
  ],
})

export const counterOperations: readonly Operation[] = [get]
