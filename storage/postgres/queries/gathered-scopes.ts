import { LRUCache } from 'lru-cache'
import type { Sql } from '../connection/index.js'
import type { GatheredScopes } from '../nxql/index.js'

/** What processes remember of who may browse which scopes of one database. */
export type ScopesGathered = {
  /** The scopes of somebody, gathered when they are not known; undefined when they are too many to be sent. */
  gather(identities: string): Promise<GatheredScopes | undefined>
  /** The same without asking the database, for whoever is inside a transaction. */
  known(identities: string): GatheredScopes | undefined
}

/** How long a change may be unknown here: a statement that is sent what holds no longer gathers by itself. */
const CHECKED_MS = 2_000

/** Texts of more characters take longer to send and to read than gathering them takes. */
const MAX_LENGTH = 100_000
const MAX_CHARACTERS = 16_000_000

/** The time between two changes of rights, by the database's clock. */
type Era = Pick<GatheredScopes, 'mark' | 'since' | 'until'> & {
  /** The scopes of each set of names, as JSON; undefined where they are too many. */
  scopes: LRUCache<string, { json: string | undefined }>
}

const currentEra = async (sql: Sql, last: Era | undefined): Promise<Era> => {
  if (last) {
    const [row] = await sql<{ holds: boolean }[]>`
      SELECT archivolt_acl_mark() = ${last.mark}::text AND now() < ${last.until}::text::timestamptz AS holds`
    if (row?.holds) return last
  }
  const [row] = await sql<Pick<Era, 'mark' | 'since' | 'until'>[]>`
    SELECT archivolt_acl_mark() AS mark, now()::text AS since, archivolt_next_ace_date()::text AS until`
  if (!row) throw new Error('The database returned no mark of its rights')
  const scopes: Era['scopes'] = new LRUCache({
    maxSize: MAX_CHARACTERS,
    sizeCalculation: ({ json = '' }, identities) => identities.length + json.length,
  })
  return { ...row, scopes }
}

/**
 * Remembers which scopes who may browse. An answer is sent with a query together with the mark of the snapshot that it
 * is of; the statement compares the mark with that of its own snapshot, and gathers again when they differ
 * (docs/security.md). So nothing depends on how long anything is remembered here.
 *
 * @param sql the pool: what a transaction has changed and not committed is not for others.
 */
export const createScopesGathered = (sql: Sql): ScopesGathered => {
  let era: Era | undefined
  let checkedAt = Number.NEGATIVE_INFINITY
  let checking: Promise<Era> | undefined

  const checkEra = async (): Promise<Era> => {
    try {
      era = await currentEra(sql, era)
      checkedAt = performance.now()
      return era
    } finally {
      checking = undefined
    }
  }

  const present = (): Promise<Era> | Era => {
    if (era && performance.now() - checkedAt < CHECKED_MS) return era
    checking ??= checkEra()
    return checking
  }

  const found = ({ scopes, mark, since, until }: Era, identities: string): GatheredScopes | undefined => {
    const json = scopes.get(identities)?.json
    return json === undefined ? undefined : { scopes: json, mark, since, until }
  }

  return {
    gather: async (identities) => {
      const within = await present()
      if (within.scopes.has(identities)) return found(within, identities)
      const [row] = await sql<{ scopes: string; mark: string; isBefore: boolean }[]>`
        SELECT archivolt_readable_scopes(${sql.array(JSON.parse(identities) as string[])}::text[])::text AS scopes,
          archivolt_acl_mark() AS mark, now() < ${within.until}::text::timestamptz AS "isBefore"`
      if (!row?.isBefore || row.mark !== within.mark) {
        // Rights changed since they were last looked at: this statement gathers by itself.
        checkedAt = Number.NEGATIVE_INFINITY
        return undefined
      }
      within.scopes.set(identities, { json: row.scopes.length > MAX_LENGTH ? undefined : row.scopes })
      return found(within, identities)
    },
    known: (identities) => era && found(era, identities),
  }
}
