import { fail } from '../../../platform/errors/index.js'

/** A text that names where a page ends, for the next one to begin after. */
export const writeCursor = (place: object): string => Buffer.from(JSON.stringify(place)).toString('base64url')

/**
 * The place that a cursor names; undefined for the first page.
 *
 * @param pages what there are pages of, in the message.
 * @throws badRequest for a cursor that no page has given.
 */
export const readCursor = <Place>(
  text: string | undefined,
  { isPlace, pages }: { isPlace(value: unknown): value is Place; pages: string },
): Place | undefined => {
  if (text === undefined) return undefined
  try {
    const place: unknown = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'))
    if (isPlace(place)) return place
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
  }
  throw fail('badRequest', `cursor: it is none that a page of ${pages} has given`)
}
