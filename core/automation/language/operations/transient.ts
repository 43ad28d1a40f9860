import type { PropertyValue } from '../../../model/properties/index.js'

/** Elements of one chunk of a long list: what a page of a loop reads at once. */
export const CHUNK_SIZE = 500

/**
 * The transient store: what is too large to travel between the steps of a run. Entries are written in the
 * transaction of the step that makes them and expire by themselves.
 */
export type TransientStore = {
  put(key: string, value: PropertyValue): Promise<void>
  /** Undefined when there is none, or it has expired. */
  get(key: string): Promise<PropertyValue | undefined>
  putList(key: string, ids: readonly string[]): Promise<void>
  /** Elements `from` to `to` (exclusive) of a list. */
  getList(key: string, from: number, to: number): Promise<string[]>
}
