import { and, arrayContains, eq, inArray, notInArray } from 'drizzle-orm'
import type { PropertyValue } from '../../../core/model/properties/index.js'
import { documentAcls, documents } from '../../../schema/documents.js'
import { type Sql, typed } from '../connection/index.js'
import { columnsOf, named, tableOf } from '../rows/index.js'

/** Values in one batch of a look at all documents of some types. */
const BATCH = 1_000

/** Counts stored documents, versions and what is in the trash included, that use parts of the content model. */
export type ModelUsage = {
  ofType(type: string): Promise<number>
  /** Documents that carry the facet themselves. */
  withFacet(facet: string): Promise<number>
  /** Documents of the types in a state that is none of these. */
  inOtherStates(types: readonly string[], states: readonly string[]): Promise<number>
  /** Documents of the types, or with the facets, that hold a value which does not fit; null stands for none. */
  unfit(property: {
    key: string
    types: readonly string[]
    facets: readonly string[]
    isNullAsked: boolean
    fits(value: PropertyValue): boolean
  }): Promise<number>
  /** Entries of local ACLs that grant or deny one of the permissions. */
  acesOf(permissions: readonly string[]): Promise<number>
}

const DOCUMENTS = tableOf(documents)
const d = columnsOf(documents, 'd')

export const createModelUsage = (sql: Sql): ModelUsage => {
  const db = typed(sql)
  return {
    ofType: (type) => db.$count(documents, eq(documents.type, type)),
    withFacet: (facet) => db.$count(documents, arrayContains(documents.facets, [facet])),
    inOtherStates: (types, states) =>
      db.$count(
        documents,
        and(inArray(documents.type, [...types]), notInArray(documents.lifecycleState, [...states])),
      ),
    // With a cursor, which Drizzle has not: there may be a million values.
    unfit: async ({ key, types, facets, isNullAsked, fits }) => {
      const rows = named(sql)<{ value: PropertyValue }[]>`
        SELECT ${d.properties} -> ${key} AS value FROM ${DOCUMENTS} d
        WHERE (${d.type} = ANY(${sql.array([...types])}::text[]) OR ${d.facets} && ${sql.array([...facets])}::text[])
          AND (${isNullAsked} OR ${d.properties} ? ${key})`.cursor(BATCH)
      let found = 0
      for await (const batch of rows) for (const { value } of batch) if (!fits(value)) found += 1
      return found
    },
    acesOf: (permissions) => db.$count(documentAcls, inArray(documentAcls.permission, [...permissions])),
  }
}
