import type { Finding } from '../../platform/contributions/index.js'
import { isArchivoltError } from '../../platform/errors/index.js'
import type { HttpRules } from '../../platform/http/index.js'

/**
 * Why the address of a webhook is never called, as far as it shows before its host is resolved. A finding, not a refusal:
 * the setting may change.
 */
export const unreachable = (
  { url }: { url?: string | undefined },
  { requireAllowed }: Pick<HttpRules, 'requireAllowed'>,
): Finding[] => {
  if (url === undefined) return []
  try {
    requireAllowed(new URL(url))
    return []
  } catch (error) {
    if (!isArchivoltError(error)) throw error
    return [{ path: ['url'], message: `${error.message}; nothing is delivered` }]
  }
}
