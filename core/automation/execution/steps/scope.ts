import { hostDocument, type Session, sentDocument } from '../../../content/documents/index.js'
import type { ExpressionScope, HostDocument } from '../../../platform/sandbox/expressions/index.js'
import {
  type DocumentReader,
  jsonOf,
  type OperationContext,
  type Value,
  type Variables,
} from '../../language/index.js'

/** Whether it is a document that a caller has sent and nobody has saved. */
const isUnsaved = (value: Value): value is Extract<Value, { type: 'entity' }> =>
  value.type === 'entity' && value.entityType === 'document'

/** Whether a text names a variable at all: what it does not name is not read for it. */
const mentions = (text: string, name: string): boolean => text.includes(name)

/**
 * What an expression sees of a run. Documents are read before the evaluation, since the sandbox cannot wait,
 * and only those that the text names.
 */
export const expressionScope = async ({
  text,
  session,
  reader,
  input,
  variables,
  ask,
  env,
}: {
  text: string
  session: Session
  reader: DocumentReader
  input: Value
  variables: Variables
  ask: OperationContext['ask']
  env: Readonly<Record<string, string>>
}): Promise<ExpressionScope> => {
  const host = async (value: Value): Promise<unknown> => {
    if (value.type === 'document') return hostDocument(session, await reader.one(value))
    if (value.type === 'documents')
      return (await reader.many(value)).map((record) => hostDocument(session, record))
    if (isUnsaved(value)) return sentDocument(session, value.value)
    if (value.type === 'date') return new Date(value.value)
    return jsonOf(value)
  }
  const visible: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(variables)) {
    if (mentions(text, name) || mentions(text, 'Context')) visible[name] = await host(value)
  }
  const scope = {
    variables: visible,
    principal: session.principal,
    now: session.now,
    env,
    ask: async (question: string, args: readonly unknown[]) => host(await ask(question, args)),
  }
  const isOne = input.type === 'document' || isUnsaved(input)
  const hasDocuments = isOne || input.type === 'documents'
  if (!hasDocuments || !/Document|This/.test(text))
    return { ...scope, input: hasDocuments ? null : jsonOf(input) }
  const seen = await host(input)
  return isOne
    ? { ...scope, input: seen, document: seen as HostDocument }
    : { ...scope, input: seen, documents: seen as HostDocument[], document: (seen as HostDocument[])[0] }
}
