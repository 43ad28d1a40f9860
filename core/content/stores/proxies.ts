import type { DocumentRecord } from '../../model/properties/index.js'

/** Proxies: documents that show another one, or a version of it. */
export type ProxyStore = {
  /** Those of a live document and of its versions, in one folder alone when `parentId` is given; by path. */
  list(seriesId: string, parentId?: string): Promise<DocumentRecord[]>
  /** From now on the proxies of this row follow what changes in it; undefined when it is gone. */
  holdTarget(id: string): Promise<DocumentRecord | undefined>
}
