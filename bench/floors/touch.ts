import type { TransactionSql } from 'postgres'
import { principalOf } from '../../core/access/security/index.js'
import type { DocumentRecord } from '../../core/model/properties/index.js'
import { SELECT_BY_ID } from '../../storage/postgres/documents/rows.js'
import { createWrites } from '../../storage/postgres/documents/writing.js'

export const administrator = principalOf('Administrator', [], true)

/** Reads a document and writes its description with its event, by the product's statements. */
export const touch = async (tx: TransactionSql, id: string): Promise<void> => {
  const [row] = await tx.unsafe<DocumentRecord[]>(`${SELECT_BY_ID} FOR NO KEY UPDATE OF d`, [id], {
    prepare: true,
  })
  if (!row) throw new Error(`The document ${id} is gone`)
  const properties = { 'dc:description': 'floor', 'dc:modified': new Date().toISOString() }
  const change = { id, properties, isUserChange: true, expectedSystemToken: row.systemToken }
  const payload = { path: row.path, type: row.type }
  await createWrites(tx, { principal: administrator }).update(change, [
    { event: 'documentModified', documentId: id, payload },
  ])
}
