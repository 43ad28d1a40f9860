import { blobStores } from '../../../schema/blobs.js'
import type { Sql } from '../connection/index.js'
import { columnsOf, named, tableOf } from '../rows/index.js'

const BLOB_STORES = tableOf(blobStores)
const s = columnsOf(blobStores)

/** The mark of the store whose blobs a database names; `claim` notes it, in the same transaction. */
export const claimBlobStore = (sql: Sql) => ({
  known: async (): Promise<string | undefined> => {
    const [row] = await named(sql)<{ id: string }[]>`SELECT ${s.id} FROM ${BLOB_STORES}`
    return row?.id
  },
  claim: async (id: string): Promise<void> => {
    await named(sql)`INSERT INTO ${BLOB_STORES} (${s.id}) VALUES (${id})`
  },
})
