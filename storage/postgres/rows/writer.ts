import type { Principal } from '../../../core/access/security/index.js'
import type { WriteAccount } from '../../../core/platform/limits/index.js'

/** For whom a store writes. */
export type Writer = {
  principal: Principal
  /** Of the principal; absent: nothing limits what it writes. */
  writes?: WriteAccount | undefined
}
