import { z } from 'zod'
import { fail } from '../../platform/errors/index.js'
import type { ArchivedDocument } from './archived-document.js'
import { isSchema, mapField } from './field-mapper.js'

/** Changes a document between the archive and the repository. */
export type Transform = (document: ArchivedDocument) => ArchivedDocument

const word = z.string().min(1)
/** Null: of every type. */
const docType = word.nullish()
const optional = word.nullish()

const isOf = (type: string | null | undefined, document: ArchivedDocument): boolean =>
  !type || document.type === type

const withoutFacet = (document: ArchivedDocument, facet: string): ArchivedDocument => ({
  ...document,
  facets: document.facets.filter((name) => name !== facet),
})

const explained = (error: z.ZodError): string =>
  error.issues.map(({ path, message }) => [...path, message].join(': ')).join('; ')

/** What makes a transformer of its arguments. @throws badRequest naming an argument that does not fit. */
type Transformer = (name: string, given: unknown) => Transform

const transformer =
  <Args>(args: z.ZodType<Args>, transform: (args: Args) => Transform): Transformer =>
  (name, given) => {
    const fitting = args.safeParse(given)
    if (!fitting.success) throw fail('badRequest', `transformers: ${name}: ${explained(fitting.error)}`)
    return transform(fitting.data)
  }

/** By the names of the reference (blobs-conversions.md §7). */
const TRANSFORMERS: ReadonlyMap<string, Transformer> = new Map([
  [
    'DoctypeToFacetTranslator',
    transformer(
      z.strictObject({ docType: word, newDocType: word, facet: word }),
      ({ docType: type, newDocType, facet }) =>
        (document) =>
          document.type === type
            ? { ...withoutFacet(document, facet), type: newDocType, facets: [...document.facets, facet] }
            : document,
    ),
  ],
  [
    'FacetRemover',
    transformer(
      z.strictObject({ docType, facet: word }),
      ({ docType: type, facet }) =>
        (document) =>
          isOf(type, document) ? withoutFacet(document, facet) : document,
    ),
  ],
  [
    'SchemaRemover',
    transformer(
      z.strictObject({ docType, schema: word }),
      ({ docType: type, schema: removed }) =>
        (document) => {
          if (!isOf(type, document)) return document
          return { ...document, schemas: document.schemas.filter(({ name }) => name !== removed) }
        },
    ),
  ],
  [
    'SchemaRenamer',
    transformer(
      z.strictObject({ src: word, dst: word, dstPrefix: optional }),
      ({ src, dst, dstPrefix }) =>
        (document) => ({
          ...document,
          schemas: document.schemas.map((schema) =>
            isSchema(src)(schema) ? { ...schema, name: dst, prefix: dstPrefix || dst } : schema,
          ),
        }),
    ),
  ],
  [
    'FieldMapper',
    transformer(
      z.strictObject({ srcSchema: word, srcField: word, dstSchema: optional, dstField: optional }),
      (mapping) => (document) => mapField(document, mapping),
    ),
  ],
])

const steps = z.array(z.looseObject({ name: z.string() })).max(100)

/**
 * The transformers of a list such as `[{"name": "FacetRemover", "docType": "File", "facet": "Old"}]`, as one: each
 * takes what the one before it has left.
 *
 * @throws badRequest naming the transformer or the argument that is unknown, missing or no text.
 */
export const transformersOf = (given: unknown): Transform => {
  const parsed = steps.safeParse(given ?? [])
  if (!parsed.success)
    throw fail('badRequest', `transformers: must be a list of maps with a name: ${explained(parsed.error)}`)
  const all = parsed.data.map(({ name, ...args }): Transform => {
    const known = TRANSFORMERS.get(name)
    if (!known) {
      const names = [...TRANSFORMERS.keys()].join(', ')
      throw fail('badRequest', `transformers: unknown transformer '${name}'; there are ${names}`)
    }
    return known(name, args)
  })
  return (document) => all.reduce((changed, transform) => transform(changed), document)
}
