import {
  countArchived,
  type ImportResult,
  importArchive,
  transformersOf,
} from '../../../content/import/index.js'
import { defineOperation, type Operation } from '../../language/index.js'
import { jsonBlob } from '../shared/json-blob.js'
import { jsonIn } from '../shared/json-parameter.js'

/** Documents that a request waits for, three seconds: more are a run. */
const MAX_WAITED = 1_000

/** What clients read of it. */
const answerOf = ({ root, ids, created, updated, warnings }: ImportResult) => ({
  'entity-type': 'documentImport',
  root: root.id,
  created,
  updated,
  ids,
  warnings,
})

const importDocuments = defineOperation({
  id: 'Document.Import',
  label: 'Document Import',
  category: 'Files',
  description:
    'Reads an archive of documents into a folder: what is at their paths already is updated. Gives the new ids by the old.',
  isSlow: true,
  isLarge: async ({ input, services: { blobs } }) =>
    input.type === 'blob' && ((await countArchived(blobs, input.blob, MAX_WAITED + 1)) ?? 0) > MAX_WAITED,
  params: {
    target: { type: 'document', isRequired: true, description: 'The folder.' },
    transformers: {
      type: 'serializable',
      description: 'What changes each document before, in order: a list of maps with a name and arguments.',
    },
    acls: {
      type: 'boolean',
      default: true,
      description: 'Whether the local rights of documents that are created come with them.',
    },
  },
  methods: ({ method }) => [
    method('blob', 'blob', async ({ context: { session, services, signal }, input, params }) => {
      const { target, transformers = null, acls } = params
      const steps = typeof transformers === 'string' ? jsonIn('transformers', transformers) : transformers
      const options = {
        ...{ target, transform: transformersOf(steps), hasAcls: acls, signal },
        maxBytes: services.limits.fileBytes,
      }
      return jsonBlob(
        services,
        answerOf(await importArchive({ session, blobs: services.blobs }, input, options)),
      )
    }),
  ],
})

export const documentImportOperations: readonly Operation[] = [importDocuments]
