import type { ContributionFormat } from '../../../platform/contributions/index.js'
import { isArchivoltError } from '../../../platform/errors/index.js'
import type { ParsedChain } from '../types.js'
import { parseChain } from './parse-chain.js'

export const parse = (text: string, format: ContributionFormat = 'yaml'): ParsedChain =>
  parseChain({ id: 'demo', text, format })

/** `line:column field: message` of each problem; none when the text is taken. */
export const problemsOf = (text: string, format: ContributionFormat = 'yaml'): string[] => {
  try {
    parse(text, format)
  } catch (error) {
    if (!isArchivoltError(error) || error.code !== 'invalid') throw error
    return error.details.map(
      ({ line, column, field, message }) => `${line}:${column} ${field ? `${field}: ` : ''}${message}`,
    )
  }
  return []
}
