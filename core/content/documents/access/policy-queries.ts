import { demandedByQueries, policyRestrictions, SYSTEM } from '../../../access/security/index.js'
import { narrowed, parseConditions, parseNxql, type Query, quoteNxql } from '../../../model/nxql/index.js'
import type { DocumentRecord } from '../../../model/properties/index.js'
import type { QueryScope } from '../../stores/index.js'
import type { Session } from '../session.js'

type Demands = readonly string[]

const NOTHING: Demands = []

const demandsOf = ({ principal, permissions: { policies } }: Session, permission: string): Demands => {
  // Asked for every right: most deployments have no such policy.
  if (principal.isAdministrator || policies.every(({ query }) => query === null)) return NOTHING
  return demandedByQueries(policies, principal, permission)
}

/** Whether queries of policies leave fewer documents for one permission than for another. */
export const areDemandsOthers = (session: Session, permission: string, other: string): boolean =>
  JSON.stringify(demandsOf(session, permission)) !== JSON.stringify(demandsOf(session, other))

/** Documents of all types: `FROM Document` leaves some out. */
const queryOf = ({ model }: Pick<Session, 'model'>, where: string | undefined, demands: Demands): Query => {
  const further = ['Root', 'Relation'].filter((name) => model.subtypes(name).length > 0)
  const all = `SELECT * FROM ${['Document', ...further].join(', ')}`
  const query = parseNxql(where === undefined ? all : `${all} WHERE ${where}`)
  return narrowed(query, demands.map(parseConditions))
}

/**
 * What security policies leave to the session's principal for browsing and reading, for whoever asks elsewhere than of the
 * repository; undefined where they leave everything.
 */
export const demandedForReading = (
  session: Pick<Session, 'principal' | 'permissions' | 'model' | 'now'>,
): { query: Query; scope: QueryScope } | undefined => {
  const { principal, permissions, model, now } = session
  const demands = ['Browse', 'Read'].flatMap((permission) =>
    policyRestrictions(permissions.policies, principal, permission),
  )
  if (demands.length === 0) return undefined
  return { query: queryOf(session, undefined, [...new Set(demands)]), scope: { model, now, principal } }
}

/** Without a principal, whose rights are what is asked. */
const idsOf = ({ stores, model, now }: Session, query: Query, limit: number): Promise<string[]> =>
  stores.queries.ids(query, { model, now, principal: SYSTEM }, limit)

/** What was asked of a document as it was read. */
const answers = new WeakMap<object, Map<string, Promise<boolean>>>()

/**
 * Whether a document is among those that security policies leave to the session's principal by their queries, for
 * a permission (reference: security.md §7, policies expressible in queries). Costs a statement for each document as it was
 * read, where a policy about the permission has a query; else nothing.
 */
export const meetsPolicyQueries = async (
  session: Session,
  document: Pick<DocumentRecord, 'id'>,
  permission: string,
): Promise<boolean> => {
  const demands = demandsOf(session, permission)
  if (demands.length === 0) return true
  const asked = answers.get(document) ?? new Map<string, Promise<boolean>>()
  answers.set(document, asked)
  const key = JSON.stringify(demands)
  const answer =
    asked.get(key) ??
    idsOf(session, queryOf(session, `ecm:uuid = ${quoteNxql(document.id)}`, demands), 1).then(
      (ids) => ids.length > 0,
    )
  asked.set(key, answer)
  return answer
}

/** Ids of what lies in a subtree and is kept from the session's principal by queries of policies. */
export const excludedBelow = async (
  session: Session,
  root: DocumentRecord,
  permission: string,
): Promise<readonly string[]> => {
  const demands = demandsOf(session, permission)
  if (demands.length === 0) return []
  const itself = `ecm:uuid = ${quoteNxql(root.id)}`
  const where = root.path === null ? itself : `(${itself} OR ecm:path STARTSWITH ${quoteNxql(root.path)})`
  const find = (asked: Demands) => idsOf(session, queryOf(session, where, asked), Number.MAX_SAFE_INTEGER)
  const meeting = new Set(await find(demands))
  return (await find([])).filter((id) => !meeting.has(id))
}
