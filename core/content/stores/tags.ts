import type { Principal } from '../../access/security/index.js'

export type TagStore = {
  /** Labels that begin so, each once in order of their bytes, on documents that the principal may browse. */
  labels(wanted: { prefix: string; principal: Principal; limit: number }): Promise<string[]>
}
