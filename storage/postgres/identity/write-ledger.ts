import type { WriteLedger } from '../../../core/platform/limits/index.js'
import { userWrites } from '../../../schema/identity.js'
import type { Database } from '../connection/index.js'
import { columnsOf, named, tableOf } from '../rows/index.js'

const WRITES = tableOf(userWrites)
const WRITE = columnsOf(userWrites)

/** On the connection beside the pool: whoever writes holds one of the pool, and may yet undo what it has written. */
export const createWriteLedger = ({ aside }: Pick<Database, 'aside'>): WriteLedger => ({
  take: async (username, characters, budget) => {
    if (characters > budget) return false
    const remembered = named(aside)`greatest(0, w.${WRITE.characters} - floor(
      ${budget}::float8 * extract(epoch FROM clock_timestamp() - w.${WRITE.at}) / 86400)::bigint)`
    const { count } = await named(aside)`
      INSERT INTO ${WRITES} AS w (${WRITE.username}, ${WRITE.characters}, ${WRITE.at})
      VALUES (${username}, ${characters}, clock_timestamp())
      ON CONFLICT (${WRITE.username}) DO UPDATE
      SET ${WRITE.characters} = ${remembered} + ${characters}::bigint, ${WRITE.at} = clock_timestamp()
      WHERE ${remembered} + ${characters}::bigint <= ${budget}::bigint`
    return count === 1
  },
})
