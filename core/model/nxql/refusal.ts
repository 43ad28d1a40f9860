import { isArchivoltError } from '../../platform/errors/index.js'
import { blankedParameters } from './bind-parameters.js'
import { CONDITIONS_OF, parseConditions } from './compose.js'
import { parseNxql } from './parser/query.js'

const AT_OFFSET = /at offset (\d+)$/

/** The parser's message, with the place in the text that somebody wrote. */
const refusalOf = (
  text: string,
  { parse, offsetOf }: { parse: (text: string) => unknown; offsetOf: (offset: number) => number },
): string | undefined => {
  try {
    parse(text)
    return undefined
  } catch (error) {
    if (!isArchivoltError(error)) throw error
    return error.message.replace(AT_OFFSET, (_, offset) => `at offset ${offsetOf(Number(offset))}`)
  }
}

/** What keeps a text from being a query, whatever values its `?` and `:name` are given; offsets count from 0. */
export const refusalOfNxql = (text: string): string | undefined => {
  const { text: blanked, offsetOf } = blankedParameters(text)
  return refusalOf(blanked, { parse: parseNxql, offsetOf })
}

/**
 * What keeps a text from being the conditions of a query, without WHERE; offsets count from 0.
 *
 * @param parse throws for more than what is no NXQL, e.g. for properties that are not there.
 */
export const refusalOfConditions = (
  text: string,
  parse: (text: string) => unknown = parseConditions,
): string | undefined => refusalOf(text, { parse, offsetOf: (offset) => offset - CONDITIONS_OF.length })
