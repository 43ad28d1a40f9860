import type { IndexedDocument } from '../../../core/content/stores/index.js'

type Words = IndexedDocument['words'][number]

/** One word as Postgres prints it, quotes and backslashes doubled, with its positions: `'it''s':1A,4`. */
const LEXEME = /'((?:[^'\\]|''|\\\\)*)':([\dABC,]+)/g

const ESCAPED = /['\\]/

/**
 * The words of a `tsvector` in the order of their text, one for each position. Its text is read here, since taking it
 * apart in the database costs twenty times as much.
 *
 * @param text as Postgres prints it; a word has at least one position.
 */
export const wordsOfVector = (text: string): Words[] => {
  const found: (Words & { position: number })[] = []
  for (const [, lexeme = '', positions = ''] of text.matchAll(LEXEME)) {
    const word = ESCAPED.test(lexeme) ? lexeme.replaceAll("''", "'").replaceAll('\\\\', '\\') : lexeme
    for (const each of positions.split(',')) {
      const mark = each[each.length - 1]
      const weight = mark === 'A' || mark === 'B' || mark === 'C' ? mark : 'D'
      found.push({ word, weight, position: Number.parseInt(each, 10) })
    }
  }
  return found.sort((a, b) => a.position - b.position)
}
