import { CliError, EXIT } from '../failures/index.js'

/** The address at which `npm start` serves the API. */
export const DEFAULT_URL = 'http://127.0.0.1:8080'

const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/

/**
 * The address of a server in its one spelling, without a slash at its end.
 *
 * @throws CliError for anything that is no plain http or https address.
 */
export const serverUrl = (text: string): string => {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !/^https?:$/.test(url.protocol))
    throw new CliError(EXIT.usage, `${text} is not the address of a server, such as ${DEFAULT_URL}`)
  if (url.username || url.password || url.search || url.hash)
    throw new CliError(EXIT.usage, 'The address may hold a host, a port and a path, but no user and no query')
  return `${url.origin}${url.pathname}`.replace(/\/+$/, '')
}

/** Whether a password sent there crosses a network unencrypted. */
export const isExposed = (url: string): boolean => {
  const { protocol, hostname } = new URL(url)
  return protocol === 'http:' && !LOOPBACK.test(hostname)
}
