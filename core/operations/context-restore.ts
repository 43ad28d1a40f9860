import {
  defineOperation,
  documentValue,
  type Operation,
  type OperationContext,
  typeOf,
  type Value,
  type ValueType,
} from '../automation/index.js'
import { fail } from '../errors/index.js'
import { getVariable } from './variables.js'

type Restored = {
  id: string
  what: string
  output: ValueType
  /** The value as the output type; undefined when it is of another kind. */
  read(value: Value, context: OperationContext): Value | undefined | Promise<Value | undefined>
}

const restoreInput = ({ id, what, output, read }: Restored): Operation =>
  defineOperation({
    id,
    label: `Restore ${what} Input`,
    category: 'Execution Context',
    description: `Makes the ${what.toLowerCase()} kept in a context variable the input again.`,
    params: { name: { type: 'string', isRequired: true } },
    methods: ({ method }) => [
      method('void', output, async ({ context, params }) => {
        const value = getVariable(context.variables, params.name)
        const restored = await read(value, context)
        if (restored) return restored
        throw fail('badRequest', `name: the variable '${params.name}' holds ${typeOf(value)}, not ${output}`)
      }),
    ],
  })

export const contextRestoreOperations: readonly Operation[] = [
  restoreInput({
    id: 'Context.RestoreDocumentInput',
    what: 'Document',
    output: 'document',
    read: async (value, context) => {
      if (value.type !== 'document') return undefined
      const [document] = await context.documents(value)
      return document && documentValue(document)
    },
  }),
  restoreInput({
    id: 'Context.RestoreDocumentsInput',
    what: 'Documents',
    output: 'documents',
    read: (value) => {
      if (value.type === 'document') return { type: 'documents', ids: [value.id] }
      return typeOf(value) === 'documents' ? value : undefined
    },
  }),
  restoreInput({
    id: 'Context.RestoreBlobInput',
    what: 'File',
    output: 'blob',
    read: (value) => (value.type === 'blob' ? value : undefined),
  }),
  restoreInput({
    id: 'Context.RestoreBlobsInput',
    what: 'Files',
    output: 'bloblist',
    read: (value) => {
      if (value.type === 'blob') return { type: 'blobs', blobs: [value.blob] }
      return value.type === 'blobs' ? value : undefined
    },
  }),
]
