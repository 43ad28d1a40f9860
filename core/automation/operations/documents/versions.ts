import {
  checkIn,
  checkOut,
  getLastVersion,
  getVersions,
  parseIncrement,
  requireOption,
  requireVersionable,
  restoreVersion,
} from '../../../content/versioning/index.js'
import { fail } from '../../../platform/errors/index.js'
import { defineOperation, documentsValue, documentValue, type Operation, VOID } from '../../language/index.js'
import { setVariable } from '../shared/context-variables.js'
import { saveUnsaved, storedDocument } from '../shared/unsaved.js'

const CATEGORY = 'Document'

const checkInOperation = defineOperation({
  id: 'Document.CheckIn',
  label: 'Check In',
  category: CATEGORY,
  description: 'Makes a version of the input document, unless it has not changed since its last one.',
  params: {
    version: {
      type: 'string',
      description: 'Which number of the version is raised.',
      isRequired: true,
      values: ['minor', 'major'],
    },
    comment: { type: 'string', description: 'Comment that is kept with the version.' },
    versionVarName: { type: 'string', description: 'Context variable that is to hold the version.' },
  },
  methods: ({ iterating }) => [
    iterating('document', 'document', async ({ context, input, params }) => {
      const increment = parseIncrement(params.version, 'version')
      if (increment === 'NONE')
        throw fail('badRequest', 'version: NONE makes no version; give MINOR or MAJOR')
      const saved = await saveUnsaved(context.session, input)
      const { document, version } = await checkIn(context.session, saved, {
        increment,
        comment: params.comment,
      })
      if (params.versionVarName) setVariable(context, params.versionVarName, documentValue(version))
      return documentValue(document)
    }),
  ],
})

const checkOutOperation = defineOperation({
  id: 'Document.CheckOut',
  label: 'Check Out',
  category: CATEGORY,
  description: 'Opens the input document, checked in before, to change.',
  params: {},
  methods: ({ iterating }) => [
    iterating('document', 'document', async ({ context, input }) =>
      documentValue(await checkOut(context.session, input)),
    ),
  ],
})

const createVersion = defineOperation({
  id: 'Document.CreateVersion',
  label: 'Snapshot Version',
  category: CATEGORY,
  description: 'Saves the input document and makes a version of it when an increment is given.',
  params: {
    increment: {
      type: 'string',
      description: 'Which number of the version is raised.',
      default: 'None',
      values: ['None', 'Minor', 'Major'],
    },
    saveDocument: {
      type: 'boolean',
      default: true,
      description: 'Write unsaved changes first; otherwise the version shows what is stored.',
    },
  },
  methods: ({ iterating }) => [
    iterating('document', 'document', async ({ context: { session }, input, params }) => {
      const increment = parseIncrement(params.increment, 'increment')
      requireVersionable(session, input)
      if (increment === 'NONE')
        return documentValue(params.saveDocument ? await saveUnsaved(session, input) : input)
      requireOption(session, input, { increment, field: 'increment' })
      const source = await (params.saveDocument ? saveUnsaved : storedDocument)(session, input)
      return documentValue((await checkIn(session, source, { increment })).document)
    }),
  ],
})

const getVersionsOperation = defineOperation({
  id: 'Document.GetVersions',
  label: 'Get Versions',
  category: CATEGORY,
  description: 'Lists the versions of the input document, the oldest first.',
  isReadOnly: true,
  params: {},
  methods: ({ method }) => [
    method('document', 'documents', async ({ context: { session }, input }) =>
      documentsValue(await getVersions(session, input)),
    ),
  ],
})

const getLastVersionOperation = defineOperation({
  id: 'Document.GetLastVersion',
  label: 'Get Last Version',
  category: CATEGORY,
  description: 'Gives the newest version of the input document, if it has any.',
  isReadOnly: true,
  params: {},
  methods: ({ iterating }) => [
    iterating('document', 'document', async ({ context: { session }, input }) => {
      const version = await getLastVersion(session, input)
      return version ? documentValue(version) : VOID
    }),
  ],
})

const restore = defineOperation({
  id: 'Document.RestoreVersion',
  label: 'Restore Version',
  category: CATEGORY,
  description: 'Makes the live document what the input version is; gives the live document.',
  params: {
    createVersion: {
      type: 'boolean',
      default: false,
      description: 'Keep what the live document holds in a version of its own first.',
    },
    checkout: { type: 'boolean', default: false, description: 'Check the live document out afterwards.' },
  },
  methods: ({ method }) => [
    method('document', 'document', async ({ context: { session }, input, params }) =>
      documentValue(
        await restoreVersion(session, input, {
          createVersion: params.createVersion,
          isCheckedOut: params.checkout,
        }),
      ),
    ),
  ],
})

export const versionOperations: readonly Operation[] = [
  checkInOperation,
  checkOutOperation,
  createVersion,
  getVersionsOperation,
  getLastVersionOperation,
  restore,
]
