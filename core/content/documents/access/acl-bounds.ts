import type { Acl } from '../../../access/security/index.js'
import { fail } from '../../../platform/errors/index.js'

/** Entries of a document itself; the store holds what is in force to a limit of its own. */
const MAX_ENTRIES = 1_000

/** Beyond the others: who may change rights can always deny one, and stop inheritance. */
const MAX_DENYING = 100

/** Entries by open tasks of workflows, which are no right of who has started them: they take no room from the others. */
const MAX_OF_TASKS = 200

/** Names of the ACLs of tasks (reference: workflow-audit.md §2, Rights). */
const OF_TASK = /^(routing|delegation)\//

/** How many entries of each kind a document has. */
type Counted = { ofTasks: number; others: number; denials: number }

const countedIn = (acls: readonly Acl[]): Counted => {
  const counted: Counted = { ofTasks: 0, others: 0, denials: 0 }
  for (const { name, aces } of acls) {
    if (OF_TASK.test(name)) {
      counted.ofTasks += aces.length
      continue
    }
    counted.others += aces.length
    counted.denials += aces.filter(({ granted }) => !granted).length
  }
  return counted
}

/**
 * Bounds the local entries of a document. A change that adds none is always taken.
 *
 * @throws badRequest for more entries than a document may have, and more than tasks may have on it.
 */
export const requireFewEntries = (before: readonly Acl[], after: readonly Acl[]): void => {
  const [had, has] = [countedIn(before), countedIn(after)]
  const most = has.denials > had.denials ? MAX_ENTRIES + MAX_DENYING : MAX_ENTRIES
  if (has.others > most && has.others > had.others)
    throw fail(
      'badRequest',
      `A document has at most ${MAX_ENTRIES} entries in its ACLs: grant groups instead of users`,
    )
  if (has.ofTasks > MAX_OF_TASKS && has.ofTasks > had.ofTasks)
    throw fail(
      'badRequest',
      `A document has at most ${MAX_OF_TASKS} entries by open tasks of workflows, and would have ${has.ofTasks}: assign a group, or end some of them`,
    )
}
