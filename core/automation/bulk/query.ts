import { checkQuery, queryIds, type Session } from '../../content/documents/index.js'
import { narrowed, parseConditions, parseNxql, type Query } from '../../model/nxql/index.js'
import type { BulkCommand } from '../language/index.js'

const BY_ID = parseNxql('SELECT * FROM Document ORDER BY ecm:uuid').orderBy

/** What the query finds behind an id, in the order of ids: what is made or changed meanwhile moves nothing. */
const behind = (query: Query, lastId: string | null): Query => ({
  ...(lastId === null ? query : narrowed(query, [parseConditions(`ecm:uuid > '${lastId}'`)])),
  orderBy: BY_ID,
})

type Asked = Pick<BulkCommand, 'query' | 'queryLimit' | 'lastId'>

/** A query with a limit is taken in its own order, which says what is within the limit. */
const queryOf = ({ query, queryLimit, lastId }: Asked): Query =>
  queryLimit === null ? behind(query, lastId) : query

/** Ids of the next documents of a command: a page at most, or all within its limit. */
export const nextIds = (session: Session, command: Asked, page: number): Promise<string[]> =>
  queryIds(session, queryOf(command), command.queryLimit ?? page)

/** @throws badRequest for a query that can find nothing: it names what is unknown, or asks what has no meaning. */
export const checkBulkQuery = (session: Session, asked: Omit<Asked, 'lastId'>): void =>
  checkQuery(session, queryOf({ ...asked, lastId: null }))
