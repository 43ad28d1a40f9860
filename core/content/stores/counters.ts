import type { DocumentRecord } from '../../model/properties/index.js'

export type CounterStore = {
  /**
   * Adds to whole numbers in one statement, whatever others have added meanwhile; null counts as 0.
   *
   * @param increments paths from a property's key down; by their order when one is named twice.
   * @returns the row after the change; undefined when it is gone, or an item of a list on a path is.
   */
  increment(
    id: string,
    increments: readonly { path: readonly (string | number)[]; by: number }[],
  ): Promise<DocumentRecord | undefined>
}
