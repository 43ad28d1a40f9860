import type { DocumentRecord } from '../../model/properties/index.js'

/** The direct children of a folder: by position, then name. */
export type ChildStore = {
  list(parentId: string): Promise<DocumentRecord[]>
  ids(parentId: string): Promise<string[]>
  /** The position after the last of them. */
  nextPosition(parentId: string): Promise<number>
  /** Numbers the children of a folder in the order of the ids. */
  setPositions(ids: readonly string[]): Promise<void>
}
