import { isIPv6 } from 'node:net'
import type { RequestContext } from './environment.js'

type Incoming = { socket?: { remoteAddress?: string | undefined } }

const socketAddress = (c: RequestContext): string =>
  (c.env as { incoming?: Incoming } | undefined)?.incoming?.socket?.remoteAddress ?? ''

/** The address, or the /64 network of an IPv6 address, as one client owns all addresses of its network. */
export const placeOf = (address: string): string => {
  const bare = address.replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, '').replace(/%[^%]*$/, '')
  if (!isIPv6(bare)) return bare
  const [before = '', after] = bare.toLowerCase().split('::')
  const groups = before === '' ? [] : before.split(':')
  const zeros = after === undefined ? 0 : 8 - groups.length - after.split(':').filter(Boolean).length
  return [...groups, ...Array<string>(Math.max(0, zeros)).fill('0')]
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':')
}

/**
 * The client address of a request, as far as it can be trusted.
 *
 * @param proxies number of proxies in front of this server, each of which appends its peer to `X-Forwarded-For`; what
 *   precedes them was written by the caller.
 * @returns '' where an app is called without a server.
 */
export const clientPlace = (c: RequestContext, proxies: number): string => {
  if (proxies === 0) return placeOf(socketAddress(c))
  const named = (c.req.header('X-Forwarded-For') ?? '').split(',').map((address) => address.trim())
  return placeOf(named.at(-proxies) || socketAddress(c))
}
