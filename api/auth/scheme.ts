import type { Principal } from '../../core/access/security/index.js'
import type { RequestContext } from '../edge/index.js'

/**
 * One way to say who calls. Undefined: the request does not use this way, so the next is asked. `rejected`: it
 * does, and what it presents is not valid, so that nobody else is asked (security.md §1).
 */
export type AuthenticationScheme = {
  name: string
  /** Who is remembered is known without a wait. */
  authenticate(c: RequestContext): Outcome | Promise<Outcome>
}

type Outcome = Principal | 'rejected' | undefined
