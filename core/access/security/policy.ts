import type { Principal } from './principal.js'

/** What a policy may look at on a document. */
export type PolicyFacts = {
  type: string
  /** Those of the type and of the instance. */
  facets: readonly string[]
  lifecycleState: string | null
  lockOwner: string | null
}

/**
 * A rule that is asked before the ACLs: it grants or denies for its documents and permissions,
 * and has no answer for all others (reference: security.md §7, security policies).
 */
export type SecurityPolicy = {
  name: string
  /** What it answers when its conditions hold; null: it is there for its query alone. */
  decision: 'grant' | 'deny' | null
  /** The permissions that it decides about, those that they include among them. */
  permissions: ReadonlySet<string>
  /** Every condition that is there must hold; of the values of one condition, any. */
  when: {
    types?: readonly string[] | undefined
    facets?: readonly string[] | undefined
    lifecycleStates?: readonly string[] | undefined
    /** Names of users or groups, one of which the principal is. */
    identities?: readonly string[] | undefined
    isLockedByOther?: boolean | undefined
  }
  /** What documents must match for others than administrators, in queries as in single reads: an NXQL condition. */
  query: string | null
}

const isLockedByOther = ({ lockOwner }: PolicyFacts, { name }: Principal): boolean =>
  lockOwner !== null && lockOwner !== name

const applies = ({ when }: SecurityPolicy, document: PolicyFacts, principal: Principal): boolean =>
  (when.types?.includes(document.type) ?? true) &&
  (when.facets?.some((facet) => document.facets.includes(facet)) ?? true) &&
  (when.lifecycleStates?.some((state) => state === document.lifecycleState) ?? true) &&
  (when.identities?.some((name) => principal.identities.includes(name)) ?? true) &&
  (when.isLockedByOther === undefined || when.isLockedByOther === isLockedByOther(document, principal))

const BROWSE = 'Browse'

type Question = {
  policies: readonly SecurityPolicy[]
  principal: Principal
  permission: string
  document: () => PolicyFacts
}

const firstAnswer = ({ policies, principal, permission, document }: Question): boolean | undefined => {
  const concerned = policies.filter(
    (policy) => policy.decision !== null && policy.permissions.has(permission),
  )
  if (concerned.length === 0) return undefined
  const facts = document()
  const deciding = concerned.find((policy) => applies(policy, facts, principal))
  return deciding && deciding.decision === 'grant'
}

/**
 * The answer of the first policy that has one: true to grant, false to deny, undefined to ask the ACLs. To whom
 * `Browse` is denied nothing else is granted. `demandedByQueries` asks what policies demand by a query.
 */
export const decideByPolicy = (question: Question): boolean | undefined => {
  if (question.permission !== BROWSE && firstAnswer({ ...question, permission: BROWSE }) === false)
    return false
  return firstAnswer(question)
}

const quoted = (values: readonly string[]): string =>
  values.map((value) => `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`).join(', ')

/** What documents must be to escape a policy's conditions, as NXQL; undefined when the principal escapes it anyway. */
const escapeFrom = ({ when }: SecurityPolicy, principal: Principal): string | undefined => {
  if (when.identities && !when.identities.some((name) => principal.identities.includes(name)))
    return undefined
  const owner = `'${principal.name.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
  const ways = [
    when.types && `ecm:primaryType NOT IN (${quoted(when.types)})`,
    when.facets && `ecm:mixinType NOT IN (${quoted(when.facets)})`,
    when.lifecycleStates &&
      `(ecm:currentLifeCycleState IS NULL OR ecm:currentLifeCycleState NOT IN (${quoted(when.lifecycleStates)}))`,
    when.isLockedByOther === true && `(ecm:lockOwner IS NULL OR ecm:lockOwner = ${owner})`,
    when.isLockedByOther === false && `(ecm:lockOwner IS NOT NULL AND ecm:lockOwner <> ${owner})`,
  ].filter((way) => typeof way === 'string')
  // A policy without conditions leaves nothing to see.
  return ways.length === 0 ? 'ecm:uuid IS NULL' : `(${ways.join(' OR ')})`
}

/**
 * What the policies about a permission demand of documents: what a policy denies by its conditions, and what it
 * demands in its own words. A document that an earlier policy grants is not kept out by a later one. Those about
 * `Browse` are added to every query of a principal.
 *
 * @returns NXQL conditions, all of which must hold.
 */
export const policyRestrictions = (
  policies: readonly SecurityPolicy[],
  principal: Principal,
  permission: string = BROWSE,
): readonly string[] => {
  if (principal.isAdministrator) return []
  const restrictions: string[] = []
  const granting: string[] = []
  for (const policy of policies) {
    if (!policy.permissions.has(permission)) continue
    const way = escapeFrom(policy, principal)
    const unlessGranted = (condition: string) =>
      granting.length === 0 ? condition : `(${condition} OR ${granting.join(' OR ')})`
    if (policy.decision === 'grant' && way) granting.push(`NOT ${way}`)
    if (policy.decision === 'deny' && way) restrictions.push(unlessGranted(way))
    if (policy.query !== null) restrictions.push(unlessGranted(`(${policy.query})`))
  }
  return restrictions
}

/**
 * What must be asked of the repository to know whether policies leave somebody a permission: nothing, unless one of
 * them about it, or about `Browse`, has a query.
 *
 * @returns NXQL conditions, all of which must hold.
 */
export const demandedByQueries = (
  policies: readonly SecurityPolicy[],
  principal: Principal,
  permission: string,
): readonly string[] => {
  const demanded = [...new Set([BROWSE, permission])].flatMap((asked) =>
    policies.some(({ query, permissions }) => query !== null && permissions.has(asked))
      ? policyRestrictions(policies, principal, asked)
      : [],
  )
  return [...new Set(demanded)]
}
