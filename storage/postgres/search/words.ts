import type { IndexFeed, SearchedWords } from '../../../core/content/stores/index.js'
import type { Sql } from '../connection/index.js'

/** Texts that are searched for are folded where those of documents are, so that both are the same words. */
export const createWordFolding = (sql: Sql): Pick<IndexFeed, 'wordsOf'> => ({
  wordsOf: async (texts) => {
    if (texts.length === 0) return new Map()
    const rows = await sql<({ text: string } & SearchedWords)[]>`
      SELECT t.text, coalesce(
        (SELECT array_agg(w.lexeme ORDER BY p.position)
         FROM unnest(to_tsvector('simple', archivolt_fold(t.text))) w, unnest(w.positions) p(position)), '{}') AS words,
        archivolt_stems(t.text) AS stems
      FROM unnest(${sql.array([...new Set(texts)])}::text[]) t(text)`
    return new Map(rows.map(({ text, words, stems }) => [text, { words, stems }]))
  },
})
