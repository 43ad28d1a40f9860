/** A query as the search index takes it: conditions alone are those of all documents (reference: nxql-search.md §2). */
export const withSelect = (text: string): string =>
  /^\s*select\s/i.test(text) ? text : `SELECT * FROM Document WHERE ${text}`
