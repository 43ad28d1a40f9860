import type { RequestContext } from '../edge/index.js'

/** Says what of a call is ignored: names in it that there are none of. */
export const WARNING = 'Archivolt-Warning'

const MAX_WARNINGS = 5
const MAX_LENGTH = 1_000

/** Headers hold printable ASCII alone. */
const asHeader = (warnings: readonly string[]): string =>
  warnings
    .slice(0, MAX_WARNINGS)
    .join('; ')
    // By way of bytes, as a text of JSON may hold half a character.
    .replace(/[^ -~]/gu, (character) => encodeURIComponent(Buffer.from(character).toString()))
    .slice(0, MAX_LENGTH)

/** The headers of a response that say what of its call is ignored; none where all of it counts. */
export const warningHeaders = (warnings: readonly string[]): { [name: string]: string } =>
  warnings.length === 0 ? {} : { [WARNING]: asHeader(warnings) }

/** Responds to a call, and says in a header what of it is ignored, also when it fails. */
export const respondWithWarnings = async (
  c: RequestContext,
  warnings: readonly string[],
  work: () => Promise<Response>,
): Promise<Response> => {
  if (warnings.length === 0) return work()
  c.header(WARNING, asHeader(warnings))
  const response = await work()
  response.headers.set(WARNING, asHeader(warnings))
  return response
}
