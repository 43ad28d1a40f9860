import { fail } from '../../../platform/errors/index.js'
import {
  defineOperation,
  documentValue,
  type NestedCall,
  type Operation,
  VOID,
} from '../../language/index.js'
import { withoutRecords } from '../shared/context-variables.js'
import { isolate, NEW_TRANSACTION, RUN_PARAMETERS, TARGET_ID } from '../shared/parameters.js'
import { asksForTransaction, dryRunCall } from './new-transaction.js'

const CATEGORY = 'Execution Flow'

const runOperation = defineOperation({
  id: 'RunOperation',
  aliases: ['Context.RunOperation'],
  label: 'Run Chain',
  category: CATEGORY,
  description: 'Runs an operation or chain on the current input, and passes that input on.',
  callsTarget: 'once',
  params: { id: TARGET_ID, isolate: isolate(false), parameters: RUN_PARAMETERS },
  methods: ({ method }) => [
    method('void', 'void', async ({ context, params }) => {
      const { id, isolate, parameters } = params
      await context.run({ id, input: context.input, parameters, isolate })
      // What was run may have changed the input documents: the next step reads them again.
      context.input = withoutRecords(context.input)
      return VOID
    }),
  ],
})

const runDocumentOperation = defineOperation({
  id: 'RunDocumentOperation',
  aliases: ['Context.RunDocumentOperation'],
  label: 'Run Document Chain',
  category: CATEGORY,
  description:
    'Runs an operation or chain on the input document, or on each of several, and gives its output.',
  callsTarget: 'once',
  boundary: (params) => (asksForTransaction(params) ? 'transaction' : undefined),
  params: { id: TARGET_ID, isolate: isolate(false), parameters: RUN_PARAMETERS, ...NEW_TRANSACTION },
  methods: ({ iterating }) => [
    iterating('document', 'document', async ({ context, input, params }) => {
      const { id, isolate, parameters, rollbackGlobalOnError: endsRun } = params
      const call = { id, input: documentValue(input), parameters, isolate }
      const output = params.newTx
        ? await dryRunCall(context, call, { operation: 'RunDocumentOperation', endsRun })
        : await context.run(call)
      if (output === undefined) return call.input
      if (output.type === 'document' || output.type === 'void') return output
      throw fail('operationFailed', `id: ${id} gives ${output.type}, not a document`)
    }),
  ],
})

const runFileOperation = defineOperation({
  id: 'RunFileOperation',
  aliases: ['Context.RunFileOperation'],
  label: 'Run File Chain',
  category: CATEGORY,
  description: 'Runs an operation or chain on the input file, or on each of several, and gives its output.',
  callsTarget: 'once',
  boundary: (params) => (asksForTransaction(params) ? 'transaction' : undefined),
  params: { id: TARGET_ID, isolate: isolate(false), parameters: RUN_PARAMETERS, ...NEW_TRANSACTION },
  methods: ({ iterating }) => [
    iterating('blob', 'blob', async ({ context, input, params }) => {
      const { id, isolate, parameters, rollbackGlobalOnError: endsRun } = params
      const call: NestedCall = { id, input: { type: 'blob', blob: input }, parameters, isolate }
      const output = params.newTx
        ? await dryRunCall(context, call, { operation: 'RunFileOperation', endsRun })
        : await context.run(call)
      if (output === undefined) return call.input
      if (output.type === 'blob' || output.type === 'void') return output
      throw fail('operationFailed', `id: ${id} gives ${output.type}, not a file`)
    }),
  ],
})

const runInNewTransaction = defineOperation({
  id: 'Context.RunDocumentOperationInNewTx',
  aliases: ['RunInNewTransaction'],
  label: 'Run Document Chain in new Tx',
  category: CATEGORY,
  description: 'Runs an operation or chain in a transaction of its own, and passes the input on.',
  callsTarget: 'once',
  boundary: 'transaction',
  params: {
    id: TARGET_ID,
    isolate: isolate(false),
    rollbackGlobalOnError: { ...NEW_TRANSACTION.rollbackGlobalOnError, default: false },
    parameters: RUN_PARAMETERS,
    timeout: NEW_TRANSACTION.timeout,
  },
  methods: ({ method }) => [
    method('void', 'void', async ({ context, params: { rollbackGlobalOnError: endsRun, ...params } }) => {
      const { id, isolate, parameters } = params
      const call = { id, input: context.input, parameters, isolate }
      await dryRunCall(context, call, { operation: 'Context.RunDocumentOperationInNewTx', endsRun })
      context.input = withoutRecords(context.input)
      return VOID
    }),
  ],
})

export const flowOperations: readonly Operation[] = [
  runOperation,
  runDocumentOperation,
  runFileOperation,
  runInNewTransaction,
]
