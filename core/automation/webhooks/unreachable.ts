import type { Finding } from '../../platform/contributions/index.js'
import { isArchivoltError } from '../../platform/errors/index.js'
import type { HttpRules } from '../../platform/http/index.js'

/** Names that are loopback everywhere (RFC 6761, section 6.3). */
const LOOPBACK = /(?:^|\.)localhost\.?$/

/**
 * Why the address of a webhook is never called, as far as it shows before its host is resolved. A finding, not a refusal:
 * the setting may change.
 */
export const unreachable = (
  { url }: { url?: string | undefined },
  { requireAllowed, requireReachable }: HttpRules,
): Finding[] => {
  if (url === undefined) return []
  try {
    const address = new URL(url)
    requireAllowed(address)
    if (LOOPBACK.test(address.hostname)) requireReachable(address.hostname, '127.0.0.1')
    return []
  } catch (error) {
    if (!isArchivoltError(error)) throw error
    return [{ path: ['url'], message: `${error.message}; nothing is delivered` }]
  }
}
