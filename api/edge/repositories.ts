import { addressOf, requestedRepository } from './paths.js'

/** The mount path of a repository's routes, which no caller can send. */
export const mountOf = (repository: string): string => `/~${repository}`

/** The path of requests for unknown repositories. */
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
    // Paths of this form are internal to the router.
    if (path.startsWith(UNKNOWN_REPOSITORY)) return `/${path}`
    if (name === undefined || name === defaultRepository) return path
    return `${names.has(name) ? mountOf(name) : UNKNOWN_REPOSITORY}${path}`
  }
