import { expect, test } from 'vitest'
import { seededRandom } from '../../../test/support/random.js'
import { sized } from '../../../test/support/size.js'
import { fail, isArchivoltError } from '../../platform/errors/index.js'
import type { Field } from '../content-model/index.js'
import { fitsField } from './fits-field.js'
import { schemasNamed, someBlob } from './model.fixture.js'
import { planOf } from './plan.js'
import { createJsonSource } from './random-json.fixture.js'
import { type OnBlob, readProperties } from './read-properties.js'
import type { BlobValue, Properties, PropertyValue } from './types.js'
import { validateProperties, validationReport } from './validate.js'
import { writeProperties } from './write-properties.js'

const BODIES = sized({ full: 100_000, sample: 5_000 })
const schemas = schemasNamed('all', 'file', 'strict', 'preset')
const random = seededRandom(20_240_229)
const nextBody = createJsonSource(random, schemas)

/** Blobs that are found, uploads that are gone, and addresses that lead nowhere. */
const onBlob: OnBlob = async (source) => {
  if (source.kind === 'text') return someBlob(source.name ?? 'text')
  if (source.kind === 'upload') return null
  if (random() < 0.5) return someBlob('from-url')
  throw fail('badRequest', 'No such blob')
}

const properties = schemas.flatMap((schema) => planOf(schema).properties)
const fieldOf = new Map(properties.map(({ key, field }) => [key, withoutConstraints(field)]))

const readBack = async (stored: Properties): Promise<Properties> => {
  const blobs = new Map<string, BlobValue>()
  const blobUrl = (xpath: string, blob: BlobValue): string => {
    blobs.set(`http://x/${xpath}`, blob)
    return `http://x/${xpath}`
  }
  const json: unknown = JSON.parse(JSON.stringify(writeProperties(stored, { schemas, blobUrl })))
  return readProperties(json, {
    schemas,
    onBlob: async (source) => (source.kind === 'url' ? (blobs.get(source.url) ?? null) : null),
  })
}

/** A complex value without any part, one that is null and one that is absent read the same. */
const canonical = (value: PropertyValue): PropertyValue => {
  if (Array.isArray(value)) return value.map(canonical)
  if (typeof value !== 'object' || value === null) return value
  const parts = Object.entries(value).flatMap(([key, part]) => {
    const left = canonical(part)
    return left === null ? [] : [[key, left] as const]
  })
  return parts.length === 0 ? null : Object.fromEntries(parts)
}

test(`${BODIES} random bodies are stored in their field's form or refused with 400, and nothing else`, async () => {
  const seen = { read: 0, refused: 0, violations: 0, roundTrips: 0 }
  for (let round = 0; round < BODIES; round++) {
    const body = nextBody()
    let stored: Properties
    try {
      stored = await readProperties(body, { schemas, onBlob, isEmptyStringNull: round % 7 === 0 })
    } catch (error) {
      const { status, message } = isArchivoltError(error) ? error : { status: error, message: '' }
      if (status !== 400) expect({ body, error }).toBe('refused with 400')
      expect(message.length).toBeLessThan(200)
      seen.refused += 1
      continue
    }
    seen.read += 1
    for (const [key, value] of Object.entries(stored)) {
      const field = fieldOf.get(key)
      // Comparing by hand: a matcher for each of a million values would take minutes.
      if (!field || !isStorable(value) || !fitsField(field, value))
        expect({ body, key, value }).toBe('storable')
    }
    const violations = validateProperties(stored, schemas, { isPartial: round % 2 === 0 })
    const report = validationReport(violations)
    if ((report?.number ?? 0) !== violations.length) expect({ body, report }).toBe('complete')
    for (const { path, messageKey, constraint } of violations)
      if (path.length === 0 || !messageKey.includes(constraint.name)) expect({ body, path }).toBe('placed')
    seen.violations += violations.length
    if (round % 20 === 0) {
      seen.roundTrips += 1
      expect({ body, read: canonical(await readBack(stored)) }).toEqual({ body, read: canonical(stored) })
    }
  }
  // Neither all refused nor all taken: the bodies are near enough to what fits.
  expect(seen.read).toBeGreaterThan(BODIES / 5)
  expect(seen.refused).toBeGreaterThan(BODIES / 5)
  expect(seen.violations).toBeGreaterThan(BODIES / 5)
})

const isStorable = (value: unknown): boolean => {
  const text = JSON.stringify(value)
  return !text.includes('\\u0000') && !/\\ud[89a-f]/i.test(text)
}

/** Of its type alone: constraints are checked apart. */
function withoutConstraints(field: Field): Field {
  return { ...field, constraints: {}, fields: field.fields.map(withoutConstraints) }
}
