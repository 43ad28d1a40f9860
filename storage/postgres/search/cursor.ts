import type { SubtreeTask } from '../../../core/content/stores/index.js'

/** Name of the cursor of the outbox that belongs to an index. */
export const cursorOf = (index: string): string => `search ${index}`

/** What the names of cursors begin with that hold an index back, in front of the event of a task. */
export const heldPrefix = (index: string): string => `${cursorOf(index)} below `

/** A cursor in front of the event: that is kept, and counts as waiting, as long as the cursor is there. */
export const heldCursor = (index: string, { root, position }: SubtreeTask): string =>
  `${heldPrefix(index)}${root} ${position.transaction} ${position.id}`

export const taskOf = (index: string, cursor: string): SubtreeTask => {
  const [root = '', transaction, id] = cursor.slice(heldPrefix(index).length).split(' ')
  return { root, position: { transaction: Number(transaction), id: Number(id) } }
}
