import { z } from 'zod'
import {
  type Contributions,
  defineExtensionPoint,
  mergeAddingToLists,
  suggestion,
} from '../../platform/contributions/index.js'
import { enricherClassNames, enricherOfClass } from './enricher-classes.js'

const words = (text: string): string[] => text.split(',').flatMap((word) => word.trim() || [])

/** A list, or a text with commas. */
const wordList = z.union([z.array(z.string().min(1)), z.string().transform(words)])

const enricherContent = z
  .strictObject({
    class: z
      .string()
      .optional()
      .describe('The enricher that the name stands for, or its class; the enricher of the name when absent'),
    category: z.string().min(1).optional().describe('As `categories`, with one'),
    categories: z
      .array(z.string().min(1))
      .default([])
      .describe('What X-NXContext-Category may say to ask for it, beside its own name'),
    parameter: z.record(z.string(), wordList).optional().describe('As `parameters`'),
    parameters: z
      .record(z.string(), wordList)
      .default({})
      .describe('Parameters of the enricher, e.g. permissions: Read, Write'),
  })
  .transform(({ category, parameter, ...content }) => ({
    ...content,
    categories: category === undefined ? content.categories : [...content.categories, category],
    parameters: { ...parameter, ...content.parameters },
  }))

/** How a deployment tunes its enrichers; the name of a contribution is what callers ask for (rest-documents.md §6). */
export const enrichersPoint = defineExtensionPoint({
  point: 'enrichers',
  elements: { enricher: { keys: { category: 'categories', parameter: 'parameters' } } },
  schema: enricherContent,
  merge: mergeAddingToLists,
  check: ({ class: wanted }, { name }) => {
    if (enricherOfClass(wanted ?? name) !== undefined) return []
    const message = `there is no enricher "${wanted ?? name}"${suggestion(wanted ?? name, enricherClassNames)}`
    return [{ path: wanted === undefined ? [] : ['class'], message }]
  },
})

/** The enrichers of a category: those configured for it, and the one of its name. */
export const enrichersOf = (contributions: Contributions, category: string): string[] => {
  const inCategory = [...contributions.get(enrichersPoint)]
    .filter(([, { categories }]) => categories.includes(category))
    .map(([name]) => name)
  return [...new Set([...inCategory, category])]
}

/** What a name stands for by its contribution: the enricher, and its parameters. */
export const contributedEnricher = (
  contributions: Contributions,
  name: string,
): { enricher: string; parameters: { [name: string]: readonly string[] } } => {
  const { class: implementation, parameters = {} } = contributions.get(enrichersPoint).get(name) ?? {}
  return { enricher: (implementation && enricherOfClass(implementation)) ?? name, parameters }
}
