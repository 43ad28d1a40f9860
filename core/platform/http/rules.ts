import { isIP } from 'node:net'
import { fail } from '../errors/index.js'
import { isPublicAddress } from './addresses.js'

/** Which hosts operations may reach, and which of these by a private address too. */
export type HttpRules = {
  /** @throws badRequest for an address that is not HTTP, or whose host may not be reached. */
  requireAllowed(url: URL): void
  /** @throws badRequest for an address that a host resolves to and may not be reached. */
  requireReachable(host: string, address: string): void
}

/** `EXAMPLE.org.` and `[::1]` as they are compared. */
const canonical = (host: string): string =>
  host
    .toLowerCase()
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '')

/**
 * Reads `ARCHIVOLT_HTTP_ALLOW`: hosts separated by commas, `*.example.org` for all below one, `*` for every host
 * of the public internet. Only a host that is named in full may have a private address.
 */
export const createHttpRules = (allowed: string): HttpRules => {
  const entries = allowed
    .split(',')
    .map((entry) => canonical(entry.trim()))
    .filter((entry) => entry !== '')
  const named = new Set(entries.filter((entry) => !entry.startsWith('*')))
  const below = entries.filter((entry) => entry.startsWith('*.')).map((entry) => entry.slice(1))
  const isAllowed = (host: string): boolean =>
    entries.includes('*') || named.has(host) || below.some((suffix) => host.endsWith(suffix))

  const requireReachable = (host: string, address: string): void => {
    if (!named.has(canonical(host)) && !isPublicAddress(address))
      throw fail('badRequest', `${host} is a private address, which ARCHIVOLT_HTTP_ALLOW does not name`)
  }
  return {
    requireReachable,
    requireAllowed: ({ protocol, hostname, href }) => {
      if (protocol !== 'http:' && protocol !== 'https:')
        throw fail('badRequest', `'${href}' is not an http or https URL`)
      const host = canonical(hostname)
      if (!isAllowed(host))
        throw fail('badRequest', `Host ${host} may not be reached: ARCHIVOLT_HTTP_ALLOW does not allow it`)
      // A name is checked once it is resolved.
      if (isIP(host)) requireReachable(host, host)
    },
  }
}
