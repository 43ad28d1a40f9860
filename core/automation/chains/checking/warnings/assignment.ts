import type { Report } from '../../../../platform/contributions/index.js'
import { tokenize } from '../../../../platform/sandbox/expressions/index.js'
import type { ValuePlaces } from '../../types.js'
import { placeIn } from './places.js'

/**
 * Warns of `a = b` where `a == b` is meant, in a condition of one statement: several may well assign.
 *
 * @throws badRequest for a text that cannot be read.
 */
export const warnOfAssignment = (
  { field, places, text }: { field: string; places: ValuePlaces | undefined; text: string },
  report: Report,
): void => {
  const { tokens } = tokenize(text)
  const isPunctuator = (wanted: string) => (token: { kind: string; text: string }) =>
    token.kind === 'punctuator' && token.text === wanted
  const assignment = tokens.find(isPunctuator('='))
  if (!assignment || tokens.some(isPunctuator(';'))) return
  report(field, placeIn(places, assignment.at), 'a condition assigns with "=": write == to compare')
}
