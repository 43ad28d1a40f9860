import { documentEvent, emit, requirePermission } from '../../../content/documents/index.js'
import { VIEWS_REQUESTED } from '../../../content/media/index.js'
import { parseNxql } from '../../../model/nxql/index.js'
import { bulkStatus } from '../../bulk/index.js'
import { defineOperation, documentValue, type Operation } from '../../language/index.js'

const EVERY_PICTURE = "SELECT * FROM Document WHERE ecm:mixinType = 'Picture'"

const recompute = defineOperation({
  id: 'Picture.RecomputeViews',
  label: 'Recompute Picture Views',
  category: 'Services',
  description:
    'Makes the views of pictures once more, in the background: of the input document, or of what a query finds.',
  params: {
    query: {
      type: 'string',
      notation: 'nxql',
      description: 'NXQL, for a call without a document; absent: every picture that the caller may write.',
    },
  },
  methods: ({ method, iterating }) => [
    method('void', 'object', async ({ context: { bulk, services }, params: { query } }) => {
      const id = await bulk.submit({
        action: 'recomputeViews',
        query: parseNxql(query?.trim() || EVERY_PICTURE),
        parameters: {},
      })
      services.dryRun?.commands.push(id)
      return { type: 'entity', entityType: 'bulkStatus', value: bulkStatus(await bulk.find(id)) }
    }),
    iterating('document', 'document', async ({ context: { session }, input }) => {
      await requirePermission(session, input, 'WriteProperties')
      return documentValue(await emit(session, input, [documentEvent(VIEWS_REQUESTED, input)]))
    }),
  ],
})

export const pictureViewOperations: readonly Operation[] = [recompute]
