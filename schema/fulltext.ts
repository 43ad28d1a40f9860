import { customType, index, pgTable, text, uuid } from 'drizzle-orm/pg-core'

const words = customType<{ data: string }>({ dataType: () => 'tsvector' })
const jsonPaths = customType<{ data: string[] }>({ dataType: () => 'jsonpath[]' })

/**
 * What is searched of each document. The trigger `documents_index_words` writes it with the document; it
 * stands apart so that a change of other properties touches neither the words nor their index. No foreign key:
 * its check would cost each new document more than the trigger that removes rows.
 */
export const documentTexts = pgTable(
  'document_texts',
  {
    documentId: uuid('document_id').primaryKey(),
    /**
     * Words of the properties by weight, A to C, then `binary_words` with the weight D. Of documents with a language
     * the stems are behind them, marked by it: `=en:appl`.
     */
    words: words('words').notNull(),
    /** Words of the texts of files, once something extracts them. */
    binaryWords: words('binary_words'),
  },
  // The words of a long text are indexed together, and few are left to be: each search reads what is left, in kB.
  (t) => [index('document_texts_words').using('gin', t.words).with({ gin_pending_list_limit: 256 })],
)

/**
 * The languages that documents have been written in, by their codes, each once or more: whoever writes the first
 * document of one waits for nobody.
 */
export const fulltextLanguages = pgTable('fulltext_languages', { language: text('language').notNull() })

/** Which properties the trigger reads: by `type:…` or `facet:…`, from the contributions of `fulltext`. */
export const fulltextFields = pgTable('fulltext_fields', {
  owner: text('owner').primaryKey(),
  a: text('a').array().notNull(),
  b: text('b').array().notNull(),
  c: text('c').array().notNull(),
  /** Properties with texts below them, and the path of each text. */
  nestedKeys: text('nested_keys').array().notNull(),
  nestedPaths: jsonPaths('nested_paths').notNull(),
})
