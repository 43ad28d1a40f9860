import type { CollectionStore, Holding } from '../../../core/content/stores/index.js'
import { documents } from '../../../schema/documents.js'
import type { Sql } from '../connection/index.js'
import { columnsOf, named, tableOf } from '../rows/index.js'
import { within } from './rows.js'

const DOCUMENT = columnsOf(documents)
const DOCUMENTS = tableOf(documents)
const c = columnsOf(documents, 'c')
const d = columnsOf(documents, 'd')
const m = columnsOf(documents, 'm')

const UUID = '^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$'

/**
 * The collections that hold a document know of it, and a member is marked with the collections that it is in
 * (workflow-audit.md §9). Both sides are kept right here when one of them is removed or copied. A document is
 * looked up in collections by containment, which the index `documents_properties` gives.
 */
export const createCollections = (sql: Sql): CollectionStore => ({
  holding: async (documentIds) =>
    named(sql)<Holding[]>`
      SELECT ${d.id} AS collection, wanted.id AS member FROM unnest(${sql.array([...documentIds])}::text[]) AS wanted(id)
      JOIN ${DOCUMENTS} d
        ON ${d.properties} @> jsonb_build_object('collection:documentIds', jsonb_build_array(wanted.id))`,

  leave: async (root) => {
    // Versions keep the members that they were made with: they are never changed.
    await named(sql)`
      WITH gone AS (
        SELECT ${d.id} FROM ${DOCUMENTS} d
        WHERE ${within(sql, root)} AND (${d.isProxy} OR 'CollectionMember' = ANY (${d.facets}))
      ), left_by AS (
        SELECT ${c.id}, array_agg(gone.id::text) AS ids
        FROM gone JOIN ${DOCUMENTS} c
          ON ${c.properties} @> jsonb_build_object('collection:documentIds', jsonb_build_array(gone.id::text))
        WHERE NOT ${c.isVersion} GROUP BY ${c.id}
      )
      UPDATE ${DOCUMENTS} c SET
        ${DOCUMENT.systemToken} = ${c.systemToken} + 1,
        ${DOCUMENT.properties} = jsonb_set(${c.properties}, '{collection:documentIds}', coalesce((
          SELECT jsonb_agg(member ORDER BY rank)
          FROM jsonb_array_elements_text(${c.properties} -> 'collection:documentIds')
            WITH ORDINALITY AS members(member, rank)
          WHERE member <> ALL (left_by.ids)), '[]'))
      FROM left_by WHERE ${c.id} = left_by.id`
    await named(sql)`
      WITH gone AS (
        SELECT ${d.id}, ${d.properties} -> 'collection:documentIds' AS members FROM ${DOCUMENTS} d
        WHERE ${within(sql, root)} AND jsonb_typeof(${d.properties} -> 'collection:documentIds') = 'array'
      ), freed AS (
        SELECT member::uuid AS id, array_agg(gone.id::text) AS collections
        FROM gone, jsonb_array_elements_text(gone.members) AS member
        WHERE member ~ ${UUID} GROUP BY 1
      ), marks AS (
        SELECT ${m.id}, coalesce((
          SELECT jsonb_agg(collection)
          FROM jsonb_array_elements_text(${m.properties} -> 'collectionMember:collectionIds') AS collection
          WHERE collection <> ALL (freed.collections)), '[]') AS kept
        FROM freed JOIN ${DOCUMENTS} m ON ${m.id} = freed.id
        WHERE jsonb_typeof(${m.properties} -> 'collectionMember:collectionIds') = 'array'
      )
      UPDATE ${DOCUMENTS} m SET
        ${DOCUMENT.systemToken} = ${m.systemToken} + 1,
        ${DOCUMENT.facets} = CASE WHEN kept = '[]' THEN array_remove(${m.facets}, 'CollectionMember') ELSE ${m.facets} END,
        ${DOCUMENT.properties} = CASE WHEN kept = '[]' THEN ${m.properties} - 'collectionMember:collectionIds'
          ELSE jsonb_set(${m.properties}, '{collectionMember:collectionIds}', kept) END
      FROM marks WHERE ${m.id} = marks.id`
  },

  markCopiedMembers: async (copy) => {
    await named(sql)`
      UPDATE ${DOCUMENTS} d SET
        ${DOCUMENT.facets} = array_remove(${d.facets}, 'CollectionMember'),
        ${DOCUMENT.properties} = ${d.properties} - 'collectionMember:collectionIds'
      WHERE ${within(sql, copy)}
        AND ('CollectionMember' = ANY (${d.facets}) OR ${d.properties} ? 'collectionMember:collectionIds')`
    const [row] = await named(sql)<{ most: number }[]>`
      WITH joined AS (
        SELECT member::uuid AS id, jsonb_agg(${d.id}::text) AS collections
        FROM ${DOCUMENTS} d,
          jsonb_array_elements_text(CASE jsonb_typeof(${d.properties} -> 'collection:documentIds')
            WHEN 'array' THEN ${d.properties} -> 'collection:documentIds' END) AS member
        WHERE ${within(sql, copy)} AND member ~ ${UUID} GROUP BY 1
      ), marked AS (
      UPDATE ${DOCUMENTS} m SET
        ${DOCUMENT.systemToken} = ${m.systemToken} + 1,
        ${DOCUMENT.facets} = CASE WHEN 'CollectionMember' = ANY (${m.facets}) THEN ${m.facets}
          ELSE array_append(${m.facets}, 'CollectionMember') END,
        ${DOCUMENT.properties} = jsonb_set(${m.properties}, '{collectionMember:collectionIds}',
          coalesce(${m.properties} -> 'collectionMember:collectionIds', '[]') || joined.collections)
      FROM joined WHERE ${m.id} = joined.id AND NOT ${m.isProxy}
      RETURNING jsonb_array_length(${m.properties} -> 'collectionMember:collectionIds') AS count
      )
      SELECT coalesce(max(count), 0) AS most FROM marked`
    return row?.most ?? 0
  },
})
