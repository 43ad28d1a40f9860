import type { Report } from '../../../../platform/contributions/index.js'
import { tokenize } from '../../../../platform/sandbox/expressions/index.js'
import type { ValuePlaces } from '../../types.js'
import { placeIn } from './places.js'

const MESSAGE = 'a condition assigns with "=": write == to compare'

/**
 * Says where a condition of one statement has `a = b` where `a == b` is meant: several may well assign.
 *
 * @throws badRequest for a text that cannot be read.
 */
export const assignmentIn = (text: string): { at: number; message: string } | undefined => {
  const { tokens } = tokenize(text)
  const isPunctuator = (wanted: string) => (token: { kind: string; text: string }) =>
    token.kind === 'punctuator' && token.text === wanted
  const assignment = tokens.find(isPunctuator('='))
  if (!assignment || tokens.some(isPunctuator(';'))) return undefined
  return { at: assignment.at, message: MESSAGE }
}

/** Warns of what `assignmentIn` finds. @throws as it does. */
export const warnOfAssignment = (
  { field, places, text }: { field: string; places: ValuePlaces | undefined; text: string },
  report: Report,
): void => {
  const found = assignmentIn(text)
  if (found) report(field, placeIn(places, found.at), found.message)
}
