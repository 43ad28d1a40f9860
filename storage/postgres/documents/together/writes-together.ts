import type { DocumentRecord, Properties } from '../../../../core/model/properties/index.js'
import type { CoreEvent } from '../../../../core/platform/events/index.js'
import type { Sql } from '../../connection/index.js'
import { isConnectionLost } from '../../pool/index.js'
import { createGathering } from './gathering.js'
import { INSERT_CHILDREN, UPDATE_PROPERTIES } from './statements.js'

type Written = { principal: string; events: readonly CoreEvent[] }

/** A new document, and what its parent must still be. */
export type NewChild = Omit<DocumentRecord, 'aclId'> &
  Written & { parentPath: string | null; parentAcl: number; parentToken: number | null }

/** A change of properties alone. */
export type PropertyChange = Written & {
  id: string
  set: Properties
  cleared: readonly string[]
  userTokens: number
  /** The system token that the document must have; null: any. */
  expected: number | null
}

/** What became of a new document. */
export type Placed = { isParentThere: boolean; isInserted: boolean }

/** Writes that are complete in one statement, those of many callers in one. */
export type WritesTogether = {
  /** @param alone the same insert by itself, for when it cannot be done with others. */
  insert(child: NewChild, alone: () => Promise<Placed>): Promise<Placed>
  /** @returns undefined when there is no such document, or it is not what it must be. */
  update(
    change: PropertyChange,
    alone: () => Promise<DocumentRecord | undefined>,
  ): Promise<DocumentRecord | undefined>
}

/** While one batch is committed another is sent. */
const LANES = 2
/** A batch holds its rows until all of it is written, a few milliseconds. */
const MAX_BATCH = 16

/**
 * @param sql connections of their own that give up soon where a lock is held: what waits is then done alone, and keeps
 *   nobody else waiting.
 */
export const createWritesTogether = (sql: Sql): WritesTogether => {
  const gatheringOf = <Item extends { id: string }, Row>(text: string) =>
    createGathering<{ item: Item; alone: () => Promise<Row | undefined> }, Row | undefined>({
      lanes: LANES,
      maxBatch: MAX_BATCH,
      keyOf: ({ item }) => item.id,
      together: async (taken) => {
        const items = taken.map(({ item }) => item)
        const rows = await sql.unsafe<(Row & { id: string })[]>(text, [items] as never[], { prepare: true })
        const byId = new Map(rows.map((row) => [row.id, row]))
        return items.map(({ id }) => byId.get(id))
      },
      alone: ({ alone }) => alone(),
      isUncertain: isConnectionLost,
    })
  const insert = gatheringOf<NewChild, Placed>(INSERT_CHILDREN)
  const update = gatheringOf<PropertyChange, DocumentRecord>(UPDATE_PROPERTIES)
  return {
    // The statement has a row for each that is given.
    insert: async (item, alone) => (await insert({ item, alone }))!,
    // What is not changed with others may be large, gone or changed meanwhile: by itself it is seen which.
    update: async (item, alone) => (await update({ item, alone })) ?? alone(),
  }
}
