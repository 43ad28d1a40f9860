import {
  type ChainDefinition,
  commaItems,
  MAX_NAMED_DOCUMENTS,
  type Registry,
  type Value,
} from '../language/index.js'
import { methodFor } from './steps/run-method.js'

const refsOf = (text: string): string[] =>
  commaItems(text.replace(/^docs?:/, ''), { name: 'input', limit: MAX_NAMED_DOCUMENTS })

/**
 * What a text that comes in names, by the first step that takes an input: the documents of `uid`, `/path` or
 * `uid,/path` when that step takes documents (reference: automation.md §3), else the text itself. Other input stays as it is.
 *
 * @throws badRequest when the first step takes no text at all, tooLarge for too many documents.
 */
export const namedDocuments = (
  input: Value,
  { chain, registry }: { chain: ChainDefinition; registry: Registry },
): Value => {
  if (input.type !== 'string') return input
  for (const { operation } of chain.steps) {
    const callable = registry.find(operation)
    if (!callable) return input
    if (callable.kind === 'chain') {
      const named = namedDocuments(input, { chain: callable.chain, registry })
      if (named !== input) return named
      continue
    }
    const method = methodFor(callable.operation, input)
    if (method.input === 'document') return { type: 'document', id: input.value.replace(/^doc:/, '') }
    if (method.input === 'documents') return { type: 'documents', ids: refsOf(input.value), mustExist: true }
    const isKept = method.output === 'object' || (method.input === 'void' && method.output === 'void')
    if (!isKept) return input
  }
  return input
}
