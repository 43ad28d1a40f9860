type Schema = { [key: string]: unknown }

const isSchema = (value: unknown): value is Schema => typeof value === 'object' && value !== null

const typeOf = (value: unknown): string => {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  if (Number.isInteger(value)) return 'integer'
  return typeof value
}

const hasType = (value: unknown, types: readonly string[]): boolean =>
  types.some((type) => type === typeOf(value) || (type === 'number' && typeof value === 'number'))

/**
 * Checks values against JSON Schemas that refer into one document. What an object has beyond its `properties` is a
 * finding unless the schema speaks of `additionalProperties`: answers are to be described in full.
 *
 * @returns the places of a value that do not fit, with the reasons.
 */
export const createValidator = (root: Schema) => {
  const resolve = (ref: string): Schema => {
    const found = ref
      .split('/')
      .slice(1)
      .reduce<unknown>((place, step) => (isSchema(place) ? place[step] : undefined), root)
    if (!isSchema(found)) throw new Error(`${ref} leads nowhere`)
    return found
  }

  const check = (schema: Schema, value: unknown, place: string, isClosed: boolean): string[] => {
    if (typeof schema.$ref === 'string') return check(resolve(schema.$ref), value, place, isClosed)
    const branches = (schema.anyOf ?? schema.oneOf) as Schema[] | undefined
    if (branches) {
      const findings = branches.map((branch) => check(branch, value, place, isClosed))
      return findings.some(({ length }) => length === 0)
        ? []
        : [`${place}: fits none: ${[...new Set(findings.flat())].join(' | ')}`]
    }
    const all = ((schema.allOf ?? []) as Schema[]).flatMap((part) => check(part, value, place, false))
    return [...all, ...checkType(schema, value, place), ...checkParts(schema, value, place, isClosed)]
  }

  const checkType = (schema: Schema, value: unknown, place: string): string[] => {
    if (schema.type !== undefined && !hasType(value, [schema.type].flat() as string[]))
      return [`${place}: ${typeOf(value)} is not ${schema.type}`]
    if ('const' in schema && value !== schema.const) return [`${place}: ${value} is not ${schema.const}`]
    if (Array.isArray(schema.enum) && !schema.enum.includes(value))
      return [`${place}: ${value} is not among ${schema.enum}`]
    if (typeof value === 'string' && !fitsText(schema, value)) return [`${place}: '${value}' does not fit`]
    if (typeof value === 'number' && !fitsNumber(schema, value)) return [`${place}: ${value} does not fit`]
    return []
  }

  const checkParts = (schema: Schema, value: unknown, place: string, isClosed: boolean): string[] => {
    if (Array.isArray(value))
      return isSchema(schema.items)
        ? value.flatMap((item, index) => check(schema.items as Schema, item, `${place}[${index}]`, isClosed))
        : []
    if (!isSchema(value)) return []
    const properties = (schema.properties ?? {}) as { [name: string]: Schema }
    const others = schema.additionalProperties
    const missing = ((schema.required ?? []) as string[])
      .filter((name) => value[name] === undefined)
      .map((name) => `${place}.${name}: is missing`)
    const wrong = Object.entries(value).flatMap(([name, part]) => {
      const known = properties[name] ?? (isSchema(others) ? others : undefined)
      if (known) return check(known, part, `${place}.${name}`, isClosed)
      const isOpen = others === true || schema.properties === undefined || (others === undefined && !isClosed)
      return isOpen ? [] : [`${place}.${name}: is not described`]
    })
    return [...missing, ...wrong]
  }

  return (schema: Schema, value: unknown): string[] => check(schema, value, '$', true)
}

const fitsText = ({ pattern, minLength = 0, maxLength = Number.POSITIVE_INFINITY }: Schema, text: string) =>
  text.length >= Number(minLength) &&
  text.length <= Number(maxLength) &&
  (typeof pattern !== 'string' || new RegExp(pattern).test(text))

const fitsNumber = (schema: Schema, value: number): boolean =>
  value >= Number(schema.minimum ?? Number.NEGATIVE_INFINITY) &&
  value <= Number(schema.maximum ?? Number.POSITIVE_INFINITY) &&
  value > Number(schema.exclusiveMinimum ?? Number.NEGATIVE_INFINITY) &&
  value < Number(schema.exclusiveMaximum ?? Number.POSITIVE_INFINITY)
