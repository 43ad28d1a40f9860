import type { DocumentRecord } from '../../model/properties/index.js'
import { conditionTest, hasPermission, type Session } from '../documents/index.js'
import { type FilterRule, filtersPoint, type NamedFilter } from './filters-point.js'

/** Whether one of the values has what is asked for; true where nothing is. */
const anyOf = async <Value>(
  wanted: readonly Value[],
  has: (value: Value, index: number) => boolean | Promise<boolean>,
): Promise<boolean> => {
  for (const [index, value] of wanted.entries()) if (await has(value, index)) return true
  return wanted.length === 0
}

type About = { session: Session; document: DocumentRecord; name: string }

const ruleHolds = async (rule: FilterRule, { session, document, name }: About): Promise<boolean> => {
  const { model, principal } = session
  const { type, facets } = document
  const own = model.facetsOf(type, facets)
  const schemas = model.schemasOf(type, facets)
  const isTrue = conditionTest(session, { previous: null, current: document })
  return (
    (await anyOf(rule.types, (wanted) => wanted === type)) &&
    (await anyOf(rule.facets, (wanted) => own.includes(wanted))) &&
    (await anyOf(rule.schemas, (wanted) => schemas.some((schema) => schema.name === wanted))) &&
    (await anyOf(rule.groups, (wanted) => principal.groups.includes(wanted))) &&
    (await anyOf(rule.permissions, (wanted) => hasPermission(session, document, wanted))) &&
    (await anyOf(rule.conditions, (wanted, index) => isTrue(wanted, `filters/${name}.conditions[${index}]`)))
  )
}

/** One that denies decides; else one that grants must hold, if there is any. */
const filterHolds = async ({ rules }: NamedFilter, about: About): Promise<boolean> => {
  for (const rule of rules) if (!rule.grant && (await ruleHolds(rule, about))) return false
  const grants = rules.filter(({ grant }) => grant)
  return anyOf(grants, (rule) => ruleHolds(rule, about))
}

/**
 * Whether filters accept a document for the principal of the session: all of them do. One that is not deployed any more
 * accepts nothing.
 *
 * @throws badRequest, naming the filter, for a condition that is neither true nor false.
 */
export const acceptedByFilters = async (
  session: Session,
  document: DocumentRecord,
  names: readonly string[] = [],
): Promise<boolean> => {
  const known = session.contributions.get(filtersPoint)
  for (const name of names) {
    const filter = known.get(name)
    if (!filter || !(await filterHolds(filter, { session, document, name }))) return false
  }
  return true
}
