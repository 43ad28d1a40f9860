import type { Client } from '@elastic/elasticsearch'
import type { IndexShape } from '../../../core/search/index-shape/index.js'
import { shapeIn } from '../mapping/index.js'

/** Indexes that are remembered; there are one or two of each repository. */
const MAX_KNOWN = 1_000

/** What contributions have added to indexes when they were made, which stays as it was. */
export type Shapes = {
  /** @returns undefined for an index of another format, which is built again. @throws what the client does. */
  of(index: string): Promise<IndexShape | undefined>
}

export const createShapes = (client: Client): Shapes => {
  const known = new Map<string, IndexShape | undefined>()
  return {
    of: async (index) => {
      if (known.has(index)) return known.get(index)
      const found = await client.indices.getMapping({ index })
      const shape = shapeIn(Object.values(found)[0]?.mappings._meta)
      if (known.size >= MAX_KNOWN) known.clear()
      known.set(index, shape)
      return shape
    },
  }
}
