import { type BlobValue, blobKey, isBlobValue } from '../../../model/properties/index.js'
import { fail } from '../../../platform/errors/index.js'
import {
  defineOperation,
  documentValue,
  type Operation,
  type OperationContext,
  typeOf,
  type Value,
  type ValueType,
} from '../../language/index.js'
import { getVariable } from '../shared/context-variables.js'

const CATEGORY = 'Execution Context'

type Restored = {
  /** Of its kind, in the ids of operations. */
  name: string
  what: string
  output: ValueType
  /** The value as the output type; undefined when it is of another kind. */
  read(value: Value, context: OperationContext): Value | undefined | Promise<Value | undefined>
}

const restored = async (
  { output, read }: Restored,
  { value, from, context }: { value: Value; from: string; context: OperationContext },
): Promise<Value> => {
  const found = await read(value, context)
  if (found) return found
  throw fail('badRequest', `${from} ${typeOf(value)}, not ${output}`)
}

const restoreInput = (kind: Restored): Operation =>
  defineOperation({
    id: `Context.Restore${kind.name}Input`,
    label: `Restore ${kind.what} Input`,
    category: CATEGORY,
    description: `Makes the ${kind.what.toLowerCase()} kept in a context variable the input again.`,
    params: {
      name: { type: 'string', description: 'Name of the variable that holds it.', isRequired: true },
    },
    methods: ({ method }) => [
      method('void', kind.output, ({ context, params }) =>
        restored(kind, {
          value: getVariable(context.variables, params.name),
          from: `name: the variable '${params.name}' holds`,
          context,
        }),
      ),
    ],
  })

const blobsIn = ({ variables, input }: OperationContext): readonly BlobValue[] =>
  [input, ...Object.values(variables)].flatMap((value) => {
    if (value.type === 'blob') return [value.blob]
    return value.type === 'blobs' ? value.blobs : []
  })

/**
 * Files that an expression gives are those that the run has already: a digest that somebody writes down opens
 * no file of somebody else.
 */
const knownBlobs = (value: Value, context: OperationContext): Value => {
  if (value.type !== 'json') return value
  const own = blobsIn(context)
  const known = (json: unknown) =>
    isBlobValue(json)
      ? own.find((blob) => blobKey(blob) === blobKey(json) && blob.name === json.name)
      : undefined
  const blob = known(value.value)
  if (blob) return { type: 'blob', blob }
  if (!Array.isArray(value.value)) return value
  const blobs = value.value.map(known).filter((item) => item !== undefined)
  return blobs.length === value.value.length ? { type: 'blobs', blobs } : value
}

const restoreInputFromScript = (kind: Restored): Operation =>
  defineOperation({
    id: `Context.Restore${kind.name}InputFromScript`,
    label: `Restore input ${kind.name.toLowerCase()} from a script`,
    category: CATEGORY,
    description: `Makes the ${kind.what.toLowerCase()} that an expression gives the input.`,
    params: {
      script: {
        type: 'string',
        isRequired: true,
        isCode: true,
        notation: 'expression',
        description: 'An expression, e.g. Context["kept"].',
      },
    },
    methods: ({ method }) => [
      method('void', kind.output, async ({ context, params }) =>
        restored(kind, {
          value: knownBlobs(await context.evaluate(params.script), context),
          from: 'script: it gives',
          context,
        }),
      ),
    ],
  })

const KINDS: readonly Restored[] = [
  {
    name: 'Document',
    what: 'Document',
    output: 'document',
    read: async (value, context) => {
      if (value.type !== 'document') return undefined
      const [document] = await context.documents(value)
      return document && documentValue(document)
    },
  },
  {
    name: 'Documents',
    what: 'Documents',
    output: 'documents',
    read: (value) => {
      if (value.type === 'document') return { type: 'documents', ids: [value.id] }
      return typeOf(value) === 'documents' ? value : undefined
    },
  },
  {
    name: 'Blob',
    what: 'File',
    output: 'blob',
    read: (value) => (value.type === 'blob' ? value : undefined),
  },
  {
    name: 'Blobs',
    what: 'Files',
    output: 'bloblist',
    read: (value) => {
      if (value.type === 'blob') return { type: 'blobs', blobs: [value.blob] }
      return value.type === 'blobs' ? value : undefined
    },
  },
]

export const contextRestoreOperations: readonly Operation[] = KINDS.flatMap((kind) => [
  restoreInput(kind),
  restoreInputFromScript(kind),
])
