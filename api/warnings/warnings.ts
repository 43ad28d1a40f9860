import type { RequestContext } from '../edge/index.js'

/** Says what of a request is ignored, or will not do what was probably meant. */
export const WARNING = 'Archivolt-Warning'

/** For the descriptions of routes. */
export const warningHeader = { [WARNING]: 'What of the request is ignored, with what was probably meant' }

const MAX_LENGTH = 1_000

/** Headers hold printable ASCII alone. */
const asHeader = (warnings: readonly string[]): string =>
  warnings
    .join('; ')
    // By way of bytes, as a text of JSON may hold half a character.
    .replace(/[^ -~]/gu, (character) => encodeURIComponent(Buffer.from(character).toString()))
    .slice(0, MAX_LENGTH)

/** The headers of a response that say what of its request is ignored; none where all of it counts. */
export const warningHeaders = (warnings: readonly string[]): { [name: string]: string } =>
  warnings.length === 0 ? {} : { [WARNING]: asHeader(warnings) }

/** The response with its warnings, if there are any. */
export const addWarnings = (response: Response, warnings: readonly string[]): Response => {
  if (warnings.length > 0) response.headers.set(WARNING, asHeader(warnings))
  return response
}

/** Responds to a request, and says in a header what of it is ignored, also when it fails. */
export const withWarnings = async (
  c: RequestContext,
  warnings: readonly string[],
  work: () => Promise<Response>,
): Promise<Response> => {
  if (warnings.length === 0) return work()
  c.header(WARNING, asHeader(warnings))
  return addWarnings(await work(), warnings)
}
