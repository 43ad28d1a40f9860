import { z } from 'zod'
import {
  type Contributions,
  defineExtensionPoint,
  mergeAddingToLists,
} from '../../platform/contributions/index.js'

const enricherContent = z.strictObject({
  categories: z
    .array(z.string().min(1))
    .default([])
    .describe('What X-NXContext-Category may say to ask for it, beside its own name'),
  parameters: z
    .record(z.string(), z.array(z.string()))
    .default({})
    .describe('Parameters of the enricher, e.g. permissions: [Read, Write]'),
})

/** How a deployment tunes its enrichers; the name of a contribution is the enricher's (rest-documents.md §6). */
export const enrichersPoint = defineExtensionPoint({
  point: 'enrichers',
  schema: enricherContent,
  merge: mergeAddingToLists,
})

/** The enrichers of a category: those configured for it, and the one of its name. */
export const enrichersOf = (contributions: Contributions, category: string): string[] => {
  const inCategory = [...contributions.get(enrichersPoint)]
    .filter(([, { categories }]) => categories.includes(category))
    .map(([name]) => name)
  return [...new Set([...inCategory, category])]
}
