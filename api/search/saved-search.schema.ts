import { z } from 'zod'
import { isStorable } from '../../core/model/properties/index.js'
import { component, pageOf } from '../openapi/index.js'
import { entity, word } from '../parse/index.js'

const storable = z
  .string({ error: 'must be a text' })
  .refine(isStorable, 'has a character that cannot be stored (NUL or half a surrogate pair)')

const text = storable.nullish().transform((value) => (value == null || value.trim() === '' ? null : value))

const WHOLE = /^\s{0,20}(?:-?\d{1,15})?\s{0,20}$/

/** A number, or its text, which is the form of responses. */
const number = (minimum: number) =>
  z
    .union([z.int(), z.string().regex(WHOLE)], { error: 'must be a whole number' })
    .nullish()
    .transform((value) => (value == null || String(value).trim() === '' ? null : Number(value)))
    .refine((value) => value === null || value >= minimum, `must be ${minimum} or more`)

const scalar = z.union([storable, z.number(), z.boolean(), z.null()])

/** Values of named parameters are texts, lists their JSON (nxql-search.md §1.1). */
const asText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

const params = z
  .record(storable, z.union([scalar, z.array(scalar)]))
  .nullish()
  .transform((values) =>
    Object.fromEntries(
      Object.entries(values ?? {}).flatMap(([name, value]) =>
        value === null ? [] : [[name, asText(value)] as const],
      ),
    ),
  )

const positional = z
  .union([storable, z.array(storable)], { error: 'must be a text or a list of texts' })
  .nullish()
  .transform((values) => {
    if (values == null || values.length === 0) return null
    return typeof values === 'string' ? values : JSON.stringify(values)
  })

/** A search to save (nxql-search.md §10). */
export const savedSearchRequest = component(
  'savedSearchRequest',
  entity('savedSearch', {
    title: text.describe('Required'),
    query: text.describe('NXQL, with queryLanguage; instead of pageProviderName'),
    queryLanguage: text.describe('NXQL'),
    pageProviderName: text,
    queryParams: positional.describe('The value of `?`; several as a list'),
    params: params.describe('Values of `:name`, and of the form of the provider'),
    pageSize: number(0),
    currentPageIndex: number(0),
    maxResults: number(-1).describe('Maximum of counted results; 0 and less mean no limit'),
    sortBy: text.describe('Comma-separated properties'),
    sortOrder: text.describe('`asc` or `desc` for each of them, comma-separated'),
    contentViewData: text.describe('Any text of the client'),
  }),
)

const shown = z.string().nullable()

/** A saved search: numbers are texts, unset fields are null (nxql-search.md §10). */
export const savedSearchEntity = component(
  'savedSearch',
  z.object({
    'entity-type': z.literal('savedSearch'),
    id: z.string(),
    title: z.string(),
    queryParams: shown,
    query: shown,
    queryLanguage: shown,
    pageProviderName: shown,
    pageSize: shown,
    currentPageIndex: shown,
    maxResults: shown,
    sortBy: shown,
    sortOrder: shown,
    contentViewData: shown,
    params: z.record(z.string(), z.string()),
    properties: z.looseObject({}).optional().describe('The requested properties of the document'),
  }),
  'A saved search',
)

export const savedSearchesPage = pageOf('savedSearches', savedSearchEntity, 'saved searches')

export const savedSearchFilter = z.object({
  pageProvider: word.describe('Only searches of this page provider'),
})
