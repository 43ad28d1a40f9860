import type { Field, Schema } from '../content-model/index.js'

const TEXTS = [
  '',
  ' ',
  'a',
  'red',
  'AB-1',
  'true',
  'TRUE',
  'null',
  '0',
  '-0',
  '12',
  '1.5',
  '1e3',
  '1e400',
  '0x10',
  '９',
  'NaN',
  '2024',
  '2024-02-30',
  '2024-02-29',
  '2024-02-29T25:00',
  '2024-02-29T12:00:00.123456789Z',
  '2024-12-31T23:59+18:59',
  '0000-01-01T00:00:00-14:00',
  '9999-12-31T23:59:59.999-01:00',
  '10000-01-01',
  'QUJD',
  'QUJ',
  '\0',
  '\ud800',
  '𝄞',
  'é',
  '__proto__',
  'constructor',
  'user:ann',
  'http://x/nxfile/default/1/file:content/a.txt',
  'a'.repeat(3000),
]

const NUMBERS = [
  0,
  -0,
  1,
  -1,
  7,
  0.5,
  2 ** 31,
  2 ** 53,
  2 ** 53 - 1,
  -(2 ** 63),
  1e300,
  -1e-300,
  1_700_000_000_000,
]

const KEYS = [
  '__proto__',
  'constructor',
  'toString',
  'length',
  '',
  'name',
  'data',
  'content',
  'upload-batch',
  'upload-fileId',
  'mime-type',
  'encoding',
  'uid',
  'id',
  'repository',
  'groupname',
  'entity-type',
  'filename',
  'file',
  'inner',
  'deep',
]

/** JSON of every shape, biased towards what almost fits: for the fuzz test of this room. */
export const createJsonSource = (random: () => number, schemas: readonly Schema[]) => {
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)]!
  const times = <Item>(max: number, make: () => Item): Item[] =>
    Array.from({ length: Math.floor(random() * (max + 1)) }, make)

  const anything = (depth: number): unknown => {
    const kind = random()
    if (kind < 0.35 || depth <= 0) return pick(TEXTS)
    if (kind < 0.55) return pick(NUMBERS)
    if (kind < 0.65) return random() < 0.5
    if (kind < 0.72) return null
    if (kind < 0.84) return times(4, () => anything(depth - 1))
    return Object.fromEntries(times(4, () => [pick(KEYS), anything(depth - 1)]))
  }

  const fitting = (field: Field, depth: number): unknown => {
    if (random() < 0.12) return anything(depth)
    if (field.isList) return times(3, () => fitting({ ...field, isList: false }, depth))
    switch (field.type) {
      case 'long':
      case 'double':
        return random() < 0.7 ? pick(NUMBERS) : pick(TEXTS)
      case 'boolean':
        return random() < 0.5
      case 'complex':
        return Object.fromEntries(
          field.fields.filter(() => random() < 0.7).map((sub) => [sub.name, fitting(sub, depth - 1)]),
        )
      case 'blob':
        return { [pick(['data', 'content'])]: pick(TEXTS), name: pick(TEXTS), 'mime-type': pick(TEXTS) }
      default:
        return pick(TEXTS)
    }
  }

  const fields = schemas.flatMap((schema) => [...schema.fields.values()].map((field) => ({ schema, field })))
  const keyOf = ({ schema, field }: (typeof fields)[number]): string =>
    random() < 0.9 ? `${schema.prefix}:${field.name}` : field.name

  /** The `properties` of a document's JSON, as they come from the wire; rarely no map at all. */
  return (): unknown => {
    if (random() < 0.02) return anything(3)
    const entries = times(5, (): [string, unknown] => {
      const known = pick(fields)
      return random() < 0.08 ? [pick(KEYS), anything(3)] : [keyOf(known), fitting(known.field, 4)]
    })
    // Parsed, so that `__proto__` is a key like any other and -0 and the like are what a parser gives.
    return JSON.parse(
      `{${entries.map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`).join()}}`,
    )
  }
}
