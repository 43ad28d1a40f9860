import { createBlobValue } from '../../../files/blobs/index.js'
import type { BlobValue } from '../../../model/properties/index.js'
import { fail } from '../../../platform/errors/index.js'
import { statementsProgram } from '../../../platform/sandbox/scripts/index.js'
import {
  defineOperation,
  type Operation,
  type OperationContext,
  type ScriptInvocation,
  type Value,
  VOID,
} from '../../language/index.js'

const CATEGORY = 'Scripting'

/** Bytes of a script; its limit of characters is checked when it is read. */
const MAX_BYTES = 1024 * 1024

const ofDocuments = (input: Value): { [name: string]: Value } => {
  if (input.type === 'document') return { Document: input, currentDocument: input }
  if (input.type !== 'documents') return {}
  const [id] = input.ids
  return { Documents: input, ...(id !== undefined && { Document: { type: 'document', id } as const }) }
}

/** Statements of MVEL with the names of an expression: the input, the context and its variables. */
const runStatements = (context: OperationContext, title: string, source: string) => {
  const { input, variables } = context
  const program = statementsProgram(title, source)
  const read = Object.fromEntries(Object.entries(variables).filter(([name]) => program.names.includes(name)))
  const invocation: ScriptInvocation = {
    program: () => program,
    input,
    names: { This: input, ...ofDocuments(input) },
    variables: read,
  }
  return context.runScript(invocation)
}

const textOf = async ({ services }: OperationContext, blob: BlobValue): Promise<string> => {
  if (blob.length > MAX_BYTES) throw fail('badRequest', `A script of more than ${MAX_BYTES} bytes is not run`)
  const chunks: Buffer[] = []
  for await (const chunk of await services.blobs.open(blob)) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks).toString('utf8')
}

const runScript = defineOperation({
  id: 'RunScript',
  aliases: ['Context.RunScript'],
  label: 'Run Script',
  category: CATEGORY,
  description: 'Runs statements of MVEL on the input and the context, and passes the input on.',
  isAdministrative: true,
  params: {
    script: {
      type: 'string',
      isRequired: true,
      isCode: true,
      notation: 'statements',
      description: 'Reads and sets Context["name"].',
    },
  },
  methods: ({ method }) => [
    method('void', 'void', async ({ context, params }) => {
      context.input = (await runStatements(context, 'The script', params.script)).input
      return VOID
    }),
  ],
})

const runScriptFile = defineOperation({
  id: 'RunScriptFile',
  aliases: ['Context.RunScriptFile'],
  label: 'Run Script File',
  category: CATEGORY,
  description:
    'Runs a file of MVEL from another server, one that the deployment allows; passes the input on.',
  isAdministrative: true,
  isSlow: true,
  params: { script: { type: 'resource', isRequired: true, description: 'Address of a file .mvel' } },
  methods: ({ method }) => [
    method('void', 'void', async ({ context, params: { script } }) => {
      const { services, signal } = context
      if (!URL.canParse(script)) throw fail('badRequest', `script: '${script}' is no address`)
      if (!new URL(script).pathname.endsWith('.mvel'))
        throw fail('badRequest', `script: '${script}' is no file of MVEL (.mvel)`)
      const source = await services.http({ method: 'GET', url: script, signal }, async ({ status, body }) => {
        if (status !== 200) throw fail('operationFailed', `script: ${script} answers with status ${status}`)
        const stored = await services.blobs.write(body, { signal, maxLength: MAX_BYTES })
        return textOf(context, createBlobValue({ stored, name: null }))
      })
      context.input = (await runStatements(context, `The script ${script}`, source)).input
      return VOID
    }),
  ],
})

const shown = (value: Value): string | undefined => {
  if (value.type === 'void') return undefined
  if (value.type === 'document') return value.id
  if (value.type === 'documents') return `[${value.ids.join(', ')}]`
  if (value.type === 'json') return JSON.stringify(value.value)
  return 'value' in value ? String(value.value) : undefined
}

const runInputScript = defineOperation({
  id: 'RunInputScript',
  aliases: ['Context.RunInputScript'],
  label: 'Run Input Script',
  category: CATEGORY,
  description: 'Runs the input file as a script, and gives what it says as a file; nothing for nothing.',
  isAdministrative: true,
  params: {
    type: { type: 'string', description: 'Language of the script.', default: 'mvel', values: ['mvel'] },
  },
  methods: ({ method }) => [
    method('blob', 'blob', async ({ context, input, params: { type } }) => {
      if (type.toLowerCase() !== 'mvel') throw fail('badRequest', `type: '${type}' is not mvel`)
      const { output } = await runStatements(context, 'The script', await textOf(context, input))
      if (output.type === 'blob') return output
      const text = shown(output)
      if (text === undefined) return VOID
      const stored = await context.services.blobs.write(Buffer.from(text))
      return {
        type: 'blob',
        blob: createBlobValue({ stored, name: 'result', mimeType: 'text/plain', encoding: 'UTF-8' }),
      }
    }),
  ],
})

export const scriptOperations: readonly Operation[] = [runScript, runScriptFile, runInputScript]
