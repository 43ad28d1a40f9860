const KEYWORDS = [
  'ALL',
  'AND',
  'AS',
  'ASC',
  'BETWEEN',
  'DATE',
  'DESC',
  'DISTINCT',
  'FROM',
  'ILIKE',
  'IN',
  'IS',
  'LIKE',
  'LIMIT',
  'LOCATION',
  'NOT',
  'NULL',
  'OFFSET',
  'OR',
  'ORDER BY',
  'SELECT',
  'STARTSWITH',
  'TIMESTAMP',
  'TYPE',
  'WHERE',
] as const

export type Keyword = (typeof KEYWORDS)[number]

export const SYMBOLS = ['=', '<>', '<=', '>=', '<', '>', '(', ')', ',', '+', '-', '*', '/'] as const

export type SymbolText = (typeof SYMBOLS)[number]

/** `text` is the token as written, for error messages; `value` of a string has its escapes resolved. */
export type Token = { text: string; offset: number } & (
  | { kind: 'keyword'; keyword: Keyword }
  | { kind: 'symbol'; symbol: SymbolText }
  | { kind: 'string'; value: string }
  | { kind: 'hint'; value: string }
  | { kind: 'identifier' | 'integer' | 'double' | 'end' }
)

const capitalised = (keyword: string): string =>
  keyword.toLowerCase().replace(/\b[a-z]/g, (c) => c.toUpperCase())

/** Keywords are known in three casings only (reference: nxql-search.md §2); `sElEcT` is an identifier. */
const spellings: ReadonlyMap<string, Keyword> = new Map([
  ...KEYWORDS.flatMap((keyword): [string, Keyword][] => [
    [keyword, keyword],
    [keyword.toLowerCase(), keyword],
    [capitalised(keyword), keyword],
  ]),
  ['ILike', 'ILIKE'],
  ['StartsWith', 'STARTSWITH'],
  ['TimeStamp', 'TIMESTAMP'],
])

export const keywordOf = (word: string): Keyword | undefined => spellings.get(word)
