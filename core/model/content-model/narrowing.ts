import type { ContentModel, Field } from './types.js'

/** A restriction of stored documents by another content model. */
export type Narrowing =
  | { kind: 'type'; type: string }
  | { kind: 'facet'; facet: string }
  /** Documents of these types may have only these states. */
  | { kind: 'states'; types: readonly string[]; states: readonly string[] }
  /**
   * A property of documents that have one of the types, or carry one of the facets, is gone or has other rules.
   *
   * @property field its rules from now on; undefined when it is gone
   * @property wasRequired false: documents without a value have to be looked at as well
   */
  | {
      kind: 'property'
      key: string
      field: Field | undefined
      types: readonly string[]
      facets: readonly string[]
      wasRequired: boolean
    }

/** All restrictions that stored documents may violate when one content model replaces another. */
export const narrowings = (before: ContentModel, after: ContentModel): Narrowing[] => [
  ...[...before.types.values()]
    .filter(({ name, isAbstract }) => !isAbstract && isGone(after, name))
    .map(({ name }) => ({ kind: 'type' as const, type: name })),
  ...[...before.facets.keys()]
    .filter((facet) => !after.facets.has(facet))
    .map((facet) => ({ kind: 'facet' as const, facet })),
  ...lostStates(before, after),
  ...changedProperties(before, after),
]

const isGone = ({ types }: ContentModel, name: string): boolean =>
  types.get(name)?.isAbstract ?? !types.has(name)

const lostStates = (before: ContentModel, after: ContentModel): Narrowing[] =>
  [...before.types.values()].flatMap(({ name, lifecycle }) => {
    const remaining = after.lifecycles.get(after.types.get(name)?.lifecycle ?? '')
    const old = before.lifecycles.get(lifecycle)
    if (!remaining || !old || [...old.states.keys()].every((state) => remaining.states.has(state))) return []
    return [{ kind: 'states' as const, types: [name], states: [...remaining.states.keys()] }]
  })

type Rules = ReadonlyMap<string, Field>

const changedProperties = (before: ContentModel, after: ContentModel): Narrowing[] => {
  const found = new Map<string, Extract<Narrowing, { kind: 'property' }>>()
  const compare = (owner: { types: string[]; facets: string[] }, old: Rules, rules: Rules): void => {
    for (const [key, field] of old) {
      const now = rules.get(key)
      if (now && textOf(now) === textOf(field)) continue
      const id = JSON.stringify([key, now ? textOf(now) : null])
      const known = found.get(id)
      found.set(id, {
        kind: 'property',
        key,
        field: now,
        types: [...(known?.types ?? []), ...owner.types],
        facets: [...(known?.facets ?? []), ...owner.facets],
        wasRequired: (known?.wasRequired ?? true) && field.constraints.required === true,
      })
    }
  }
  for (const type of before.types.keys()) {
    if (after.types.has(type))
      compare({ types: [type], facets: [] }, rulesOf(before, type), rulesOf(after, type))
  }
  for (const [facet, { schemas }] of before.facets) {
    const later = after.facets.get(facet)
    if (later)
      compare({ types: [], facets: [facet] }, fieldsOf(before, schemas), fieldsOf(after, later.schemas))
  }
  return [...found.values()]
}

const rulesOf = (model: ContentModel, type: string): Rules =>
  fieldsOf(
    model,
    model.schemasOf(type, []).map(({ name }) => name),
  )

const fieldsOf = ({ schemas }: ContentModel, names: readonly string[]): Rules =>
  new Map(
    names.flatMap((name) => {
      const schema = schemas.get(name)
      return schema ? [...schema.fields.values()].map((field) => [keyOf(schema, field), field] as const) : []
    }),
  )

const keyOf = ({ prefix }: { prefix: string }, { name }: Field): string => `${prefix}:${name}`

// Fields are immutable values of one model, compared for every type that has them.
const texts = new WeakMap<Field, string>()

const textOf = (field: Field): string => {
  const known = texts.get(field)
  if (known) return known
  const { default: _, ...rules } = field
  const text = JSON.stringify(rules)
  texts.set(field, text)
  return text
}
