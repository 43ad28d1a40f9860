import type { Value } from './values.js'

type Known = Exclude<Value, null>

/** Texts by their bytes in UTF-8. */
export const compareValues = (a: Known, b: Known): number => {
  if (typeof a === 'string') return Buffer.compare(Buffer.from(a), Buffer.from(String(b)))
  return Number(a) - Number(b)
}

const ESCAPED = /[$()*+.?[\\\]^{|}/]/g

/** The pattern of LIKE as a regular expression: `\` before `%`, `_` and `\` makes a letter of them, else it is nothing. */
export const likeExpression = (pattern: string, ignoreCase: boolean): RegExp => {
  const source = pattern.replace(/\\([\\%_])|\\|%|_|[^\\%_]+/g, (part, escaped: string | undefined) => {
    if (escaped !== undefined) return escaped.replace(ESCAPED, String.raw`\$&`)
    if (part === '\\') return ''
    if (part === '%') return '.*'
    return part === '_' ? '.' : part.replace(ESCAPED, String.raw`\$&`)
  })
  return new RegExp(`^${source}$`, ignoreCase ? 'sui' : 'su')
}
