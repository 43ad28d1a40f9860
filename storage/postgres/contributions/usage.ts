import type { PropertyValue } from '../../../core/model/properties/index.js'
import type { Sql } from '../connection/index.js'

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

export const createModelUsage = (sql: Sql): ModelUsage => {
  const count = async (rows: PromiseLike<readonly { n: number }[]>): Promise<number> =>
    (await rows)[0]?.n ?? 0
  return {
    ofType: (type) =>
      count(sql<{ n: number }[]>`SELECT count(*)::int AS n FROM documents WHERE type = ${type}`),
    withFacet: (facet) =>
      count(
        sql<{ n: number }[]>`
          SELECT count(*)::int AS n FROM documents WHERE facets @> ${sql.array([facet])}::text[]`,
      ),
    inOtherStates: (types, states) =>
      count(sql<{ n: number }[]>`
        SELECT count(*)::int AS n FROM documents
        WHERE type = ANY(${sql.array([...types])}::text[])
          AND lifecycle_state <> ALL(${sql.array([...states])}::text[])`),
    unfit: async ({ key, types, facets, isNullAsked, fits }) => {
      const rows = sql<{ value: PropertyValue }[]>`
        SELECT properties -> ${key} AS value FROM documents
        WHERE (type = ANY(${sql.array([...types])}::text[]) OR facets && ${sql.array([...facets])}::text[])
          AND (${isNullAsked} OR properties ? ${key})`.cursor(BATCH)
      let found = 0
      for await (const batch of rows) for (const { value } of batch) if (!fits(value)) found += 1
      return found
    },
    acesOf: (permissions) =>
      count(sql<{ n: number }[]>`
        SELECT count(*)::int AS n FROM document_acls
        WHERE permission = ANY(${sql.array([...permissions])}::text[])`),
  }
}
