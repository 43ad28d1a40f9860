import type { Hint } from '../ast.js'
import { invalidToken } from './syntax-error.js'

const PREFIX = /\s*ES\s*:\s*/y
const INDEX = /(?:INDEX|Index|index)\s*\(([^()]*)\)\s*/y
const ANALYZER = /(?:ANALYZER|Analyzer|analyzer)\s*\(([^()]*)\)\s*/y
const OPERATOR = /(?:OPERATOR|Operator|operator)\s*\(([^()]*)\)\s*/y
const INDEX_FIELD = /^([\w:.*/-]+)(?:\^(\d{1,6}(?:\.\d{1,6})?))?$/
const NAME = /^[\w.-]+$/

/** Reads `ES: INDEX(f1,f2^3) ANALYZER(a) OPERATOR(op)`: parts optional, in this order (nxql-search.md §5). */
export const parseHint = (text: string, offset: number): Hint => {
  let at = 0
  const part = (pattern: RegExp): string | null => {
    pattern.lastIndex = at
    const match = pattern.exec(text)
    if (!match) return null
    at = pattern.lastIndex
    return (match[1] ?? '').trim()
  }
  const named = (pattern: RegExp): string | null => {
    const name = part(pattern)
    if (name !== null && !NAME.test(name)) throw invalidToken(name, offset)
    return name
  }
  if (part(PREFIX) === null) throw invalidToken(text, offset)
  const index = part(INDEX)
  const analyzer = named(ANALYZER)
  const operator = named(OPERATOR)
  if (at !== text.length) throw invalidToken(text.slice(at), offset)
  return { index: index === null ? [] : parseIndex(index, offset), analyzer, operator }
}

const parseIndex = (text: string, offset: number): Hint['index'] =>
  text.split(',').map((item) => {
    const [, field, boost] = INDEX_FIELD.exec(item.trim()) ?? []
    if (field === undefined) throw invalidToken(item, offset)
    return { field, boost: boost === undefined ? null : Number(boost) }
  })
