import { isTemplate, splitTemplate } from './template.js'
import { type Token, tokenize } from './tokens.js'

const OPENING: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{' }
const NAVIGATION = ['.', '?.', '.?']

/** Index of the bracket that the one at `at` closes; -1 when there is none. */
const openerOf = (tokens: readonly Token[], at: number): number => {
  const [close, open] = [tokens[at]!.text, OPENING[tokens[at]!.text]]
  let depth = 0
  for (let index = at; index >= 0; index--) {
    const { kind, text } = tokens[index]!
    if (kind !== 'punctuator') continue
    if (text === close) depth++
    if (text === open && --depth === 0) return index
  }
  return -1
}

const isNavigation = (token: Token | undefined): boolean =>
  token?.kind === 'punctuator' && NAVIGATION.includes(token.text)

/** Where the operand that ends with a token begins: `a.b(1)[2]` is one operand. */
const startOf = (tokens: readonly Token[], end: number): number => {
  let at = end
  for (;;) {
    const { kind, text } = tokens[at]!
    if (kind === 'punctuator' && text in OPENING) {
      at = openerOf(tokens, at)
      if (at < 0) return end + 1
      const before = tokens[at - 1]
      const isCallOrIndex = before?.kind === 'name' || before?.text === ')' || before?.text === ']'
      if (isCallOrIndex) {
        at--
        continue
      }
    }
    if (!isNavigation(tokens[at - 1]) || at < 2) return at
    at -= 2
  }
}

const endOf = (tokens: readonly Token[], at: number): number => {
  const { kind, text } = tokens[at]!
  if (text === ')') return openerOf(tokens, at) - 1
  if (text === '(' || text === '[' || isNavigation(tokens[at])) return at - 1
  return kind === 'name' && isNavigation(tokens[at - 1]) ? at - 2 : -1
}

const partAt = (source: string, offset: number): { text: string; at: number } => {
  if (!isTemplate(source)) return { text: source, at: 0 }
  const part = splitTemplate(source).find(
    (piece) => 'expression' in piece && piece.at <= offset && offset <= piece.at + piece.expression.length,
  )
  return part && 'expression' in part ? { text: part.expression, at: part.at } : { text: '', at: 0 }
}

/**
 * The part of an expression whose value made it fail at an offset: `map.q` when `map.q.z` fails at `.z`;
 * undefined when no operand stands before the place.
 */
export const failedOperand = (source: string, offset: number): string | undefined => {
  const part = partAt(source, offset)
  const { tokens } = tokenize(part.text)
  const failing = tokens.findLastIndex(({ at }) => at <= offset - part.at)
  const end = failing < 0 ? -1 : endOf(tokens, failing)
  if (end < 0) return undefined
  const start = startOf(tokens, end)
  const last = tokens[end]!
  return start > end ? undefined : part.text.slice(tokens[start]!.at, last.at + last.text.length)
}
