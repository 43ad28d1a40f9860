import { CliError, EXIT } from '../failures/index.js'
import type { Login } from '../server/index.js'
import { DEFAULT_URL, serverUrl } from './server-url.js'

/**
 * The login of a command: `ARCHIVOLT_URL`, `ARCHIVOLT_USER` and `ARCHIVOLT_PASSWORD` before what was stored at
 * login. A stored password is never sent to another server or for another user.
 *
 * @throws CliError when there is no login, or half of one.
 */
export const resolveLogin = (environment: NodeJS.ProcessEnv, stored: Login | undefined): Login => {
  const { ARCHIVOLT_URL, ARCHIVOLT_USER, ARCHIVOLT_PASSWORD } = environment
  const url = ARCHIVOLT_URL ? serverUrl(ARCHIVOLT_URL) : (stored?.url ?? DEFAULT_URL)
  const known = stored?.url === url ? stored : undefined
  const user = ARCHIVOLT_USER || known?.user
  const password = ARCHIVOLT_PASSWORD || (known?.user === user ? known?.password : undefined)
  if (user && password) return { url, user, password }
  if (user && ARCHIVOLT_USER)
    throw new CliError(EXIT.unauthorised, `ARCHIVOLT_PASSWORD is missing for the user ${user} of ${url}`)
  const isKnown = ARCHIVOLT_URL || stored !== undefined
  throw new CliError(
    EXIT.unauthorised,
    isKnown
      ? `Not logged in to ${url}: run "archivolt login ${url}"`
      : `Not logged in, and no server is known: run "archivolt login ADDRESS" with the address of yours, such as ${url}`,
  )
}
