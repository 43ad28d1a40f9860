import { literal } from './literal.js'

/** The letters of date patterns that are understood: year, month, day, hour, minute, second, millisecond. */
const PART = /y+|M+|d+|H+|m+|s+|S+|'(?:[^']|'')*'/g

const AT: { readonly [letter: string]: readonly [start: number, end: number] } = {
  y: [0, 4],
  M: [5, 7],
  d: [8, 10],
  H: [11, 13],
  m: [14, 16],
  s: [17, 19],
  S: [20, 23],
}

const unquoted = (part: string): string => (part === "''" ? "'" : part.slice(1, -1).replaceAll("''", "'"))

/** Writes a date in UTC by a pattern such as `yyyy-MM-dd`, the form in which histograms name their buckets. */
export const formatByPattern = (date: Date, pattern: string): string => {
  const text = date.toISOString()
  return pattern.replace(PART, (part) => {
    if (part.startsWith("'")) return unquoted(part)
    const [start, end] = AT[part.charAt(0)] ?? [0, 0]
    const digits = text.slice(start, end)
    if (part.startsWith('y')) return part.length === 2 ? digits.slice(2) : digits
    return String(Number(digits)).padStart(part.length, '0')
  })
}

/** Reads what `formatByPattern` writes; undefined for another text. */
export const parseByPattern = (text: string, pattern: string): Date | undefined => {
  const letters: string[] = []
  let source = ''
  let end = 0
  for (const match of pattern.matchAll(PART)) {
    source += literal(pattern.slice(end, match.index))
    end = match.index + match[0].length
    if (match[0].startsWith("'")) source += literal(unquoted(match[0]))
    else {
      letters.push(match[0].charAt(0))
      source += match[0].length > 1 ? `(\\d{${match[0].length}})` : '(\\d+)'
    }
  }
  const found = new RegExp(`^${source}${literal(pattern.slice(end))}$`).exec(text)
  if (!found) return undefined
  const part = (letter: string, fallback: number): number => {
    const position = letters.indexOf(letter)
    return position < 0 ? fallback : Number(found[position + 1])
  }
  const year = part('y', 1970)
  const date = new Date(
    Date.UTC(
      year < 100 ? 2000 + year : year,
      part('M', 1) - 1,
      part('d', 1),
      part('H', 0),
      part('m', 0),
      part('s', 0),
      part('S', 0),
    ),
  )
  return Number.isNaN(date.getTime()) ? undefined : date
}
