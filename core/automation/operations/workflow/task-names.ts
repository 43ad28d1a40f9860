import type { DocumentRecord } from '../../../model/properties/index.js'
import { defineOperation, documentsValue, type Operation } from '../../language/index.js'
import { loadBriefly } from '../../routing/instances/index.js'
import { findOpenTasks, taskOf } from '../../routing/tasks/index.js'

/** What a list to choose from shows. */
const MAX_NAMES = 15

const getTaskNames = defineOperation({
  id: 'Context.GetTaskNames',
  label: 'Get Task Translated Names',
  category: 'Workflow Context',
  description:
    'Gives open tasks of workflows, one of each name, with the title of the workflow in their titles: 15 at most.',
  isReadOnly: true,
  params: {
    lang: { type: 'string', description: 'Accepted; labels are given as their keys.' },
    searchTerm: { type: 'string', description: 'What the name begins with.' },
    value: { type: 'string', description: 'The whole name, in place of searchTerm.' },
    xpath: { type: 'string', description: 'Accepted; ignored.' },
  },
  methods: ({ method }) => [
    method('void', 'documents', async ({ context: { session }, params }) => {
      const { searchTerm = '', value } = params
      const isAsked = (name: string): boolean => (value ? name === value : name.startsWith(searchTerm))
      const tasks = (await findOpenTasks(session, {})).entries
        .map(taskOf)
        .filter(({ routeId, name }) => routeId !== '' && isAsked(name))
      const named = [...new Map(tasks.map((task) => [task.name, task])).values()].slice(0, MAX_NAMES)
      const routes = await loadBriefly(
        session,
        named.map(({ routeId }) => routeId),
      )
      return documentsValue(
        named.map(({ record, name, routeId }): DocumentRecord => {
          const route = routes.get(routeId)
          const title = `[${route?.model.title || (route?.modelId ?? '')}] ${name}`
          return { ...record, properties: { ...record.properties, 'dc:title': title } }
        }),
      )
    }),
  ],
})

export const taskNameOperations: readonly Operation[] = [getTaskNames]
