import { fail } from '../../../platform/errors/index.js'

/** Encodes the end of a page, after which the next one begins. */
export const writeCursor = (place: object): string => Buffer.from(JSON.stringify(place)).toString('base64url')

/**
 * Decodes a cursor; undefined for the first page.
 *
 * @param pages the listed things, for the message.
 * @throws badRequest for an invalid cursor.
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
  throw fail('badRequest', `cursor: is not valid; send nextCursor of an earlier page of ${pages}`)
}
