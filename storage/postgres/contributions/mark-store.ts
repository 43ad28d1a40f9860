import { NO_MARK } from '../../../core/platform/contributions/index.js'
import type { MarkStore, Marks } from '../../../core/platform/currency/index.js'
import { changeMarks, contributions } from '../../../schema/contributions.js'
import type { Database } from '../connection/index.js'
import { columnsOf, markOf, tableOf } from '../rows/index.js'

const CONTRIBUTION = columnsOf(contributions)
const CHANGED = columnsOf(changeMarks)

const changedBy = (kind: 'identities' | 'directories'): string =>
  `(SELECT ${CHANGED.transactionId} FROM ${tableOf(changeMarks)} WHERE ${CHANGED.kind} = '${kind}') AS "${kind}"`

/** Sent for each request, or for several: a whole text. */
const MARKS = `
  SELECT coalesce((SELECT ${markOf(CONTRIBUTION.createdAt)} FROM ${tableOf(contributions)}
    ORDER BY ${CONTRIBUTION.createdAt} DESC LIMIT 1), '${NO_MARK}') AS "contributions",
    ${changedBy('identities')}, ${changedBy('directories')}`

/** A text without parameters the driver sends as it is, to be parsed and planned each time, unless it is asked to prepare it. */
const PREPARED = { prepare: true, simple: false } as { prepare: boolean }

/** Marks that triggers write when a transaction ends, and those of contributions, read by keys. */
export const createMarkStore = ({ keyed }: Pick<Database, 'keyed'>): MarkStore => ({
  read: async () => {
    const [marks] = await keyed.unsafe<Marks[]>(MARKS, [], PREPARED)
    return marks!
  },
})
