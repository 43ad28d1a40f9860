import { z } from 'zod'
import { defineExtensionPoint } from '../../platform/contributions/index.js'

/** Words of one contribution: each is a part of the queries that mention another. */
const MAX_WORDS = 20

const words = z
  .array(
    z
      .string()
      .regex(/[\p{L}\p{N}]/u, 'needs a letter or a digit')
      .max(100),
  )
  .max(MAX_WORDS)

const content = z.strictObject({
  words: words.min(1).describe('Words and phrases; who searches for one of the words finds the others, too'),
  finds: words.optional().describe('What the words find beside themselves, instead of one another'),
})

/** Words that a search takes for others, and what it finds by them as well. */
export type SynonymRule = z.output<typeof content>

const isOneWord = (text: string): boolean => /^[\p{L}\p{N}\p{M}]+$/u.test(text)

/** Synonyms of searches (docs/search.md). */
export const synonymsPoint = defineExtensionPoint({
  point: 'synonyms',
  elements: { synonym: {} },
  schema: content,
  // Lists are not joined: a later contribution says all words of its name.
  merge: (_, later) => later,
  check: ({ words: own, finds }) => {
    if (!own.some(isOneWord))
      return [{ path: ['words'], message: 'needs a single word, which is searched for' }]
    if (own.length === 1 && finds === undefined)
      return [{ path: ['words'], message: 'needs another word, or "finds"' }]
    return []
  },
})
