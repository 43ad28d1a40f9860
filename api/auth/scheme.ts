import type { Principal } from '../../core/access/security/index.js'
import type { RequestContext } from '../edge/index.js'

/**
 * One way to authenticate a caller. Undefined: the request does not use it, so the next is tried. `rejected`: it
 * does, and its credentials are not valid, so that no other is tried (reference: security.md §1).
 */
export type AuthenticationScheme = {
  name: string
  /** Synchronous for a caller in the cache. */
  authenticate(c: RequestContext): Outcome | Promise<Outcome>
}

type Outcome = Principal | 'rejected' | undefined
