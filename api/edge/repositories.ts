import { addressOf, requestedRepository } from './paths.js'

/** Under which paths the routes of a repository are mounted: nothing that a caller can write. */
export const mountOf = (repository: string): string => `/~${repository}`

/** Where requests for repositories that are not there end. */
export const UNKNOWN_REPOSITORY = '/~'

/**
 * Routes requests to the routes of the repository that they name; those that name none, or the default one, keep
 * their path.
 */
export const pathByRepository =
  (defaultRepository: string, names: ReadonlySet<string>) =>
  (request: Request): string => {
    const address = addressOf(request.url)
    const path = address.path || '/'
    const name = requestedRepository(request, address)
    // A path of this form is the router's alone.
    if (path.startsWith(UNKNOWN_REPOSITORY)) return `/${path}`
    if (name === undefined || name === defaultRepository) return path
    return `${names.has(name) ? mountOf(name) : UNKNOWN_REPOSITORY}${path}`
  }
