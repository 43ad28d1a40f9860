import type { AuditIndex, AuditStore } from '../../content/stores/index.js'
import { defineProperty } from '../../platform/configuration/index.js'

/** reference: nxql-search.md §9.6, where it is off unless it is asked for. */
export const AUDIT_INDEXED = defineProperty({
  name: 'archivolt.audit.elasticsearch.enabled',
  aliases: ['audit.elasticsearch.enabled'],
  default: 'true',
  description: 'false: the search engine has no copy of the audit',
})

/** Entries that are written together. */
const PAGE = 500

/**
 * Copies the audit of a repository into its index, in its order. It begins where the index ends, and one page before
 * that: of the last page some entries may be missing.
 *
 * @returns a function that copies the next page, and says whether there may be more at once.
 */
export const createAuditProjection = (index: AuditIndex): ((store: AuditStore) => Promise<boolean>) => {
  let position: number | undefined
  return async (store) => {
    position ??= Math.max(0, (await index.newest()) - PAGE)
    const { entries } = await store.find(
      { kind: 'compare', field: { column: 'id' }, operator: '>', value: position },
      { limit: PAGE, offset: 0, countAtMost: 0, order: [{ field: { column: 'id' }, isAscending: true }] },
    )
    const last = entries.at(-1)
    if (!last) return false
    try {
      await index.write(entries)
    } catch (error) {
      // The index may be another one when the engine is back.
      position = undefined
      throw error
    }
    position = last.id
    return entries.length === PAGE
  }
}
