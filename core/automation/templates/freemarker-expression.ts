// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are the marks of the notation
import { refuse } from './place.js'
import type { Place } from './types.js'

/** An expression of FreeMarker. */
export type Expression =
  | { kind: 'literal'; value: string | number | boolean }
  | { kind: 'name'; name: string }
  | { kind: 'member'; of: Expression; key: Expression }
  | { kind: 'slice'; of: Expression; from: Expression; to: Expression | undefined }
  | { kind: 'call'; callee: Expression; args: readonly Expression[] }
  | { kind: 'builtIn'; of: Expression; name: string; args: readonly Expression[] }
  | { kind: 'otherwise'; of: Expression; fallback: Expression | undefined }
  | { kind: 'exists'; of: Expression }
  | { kind: 'unary'; operator: '!' | '-' | '+'; of: Expression }
  | { kind: 'binary'; operator: string; left: Expression; right: Expression }
  | { kind: 'list'; items: readonly Expression[] }
  | { kind: 'map'; entries: readonly (readonly [Expression, Expression])[] }
  | { kind: 'text'; parts: readonly Expression[] }

const SPACE = /\s+/y
const NAME = /[A-Za-z_@\u0080-\uffff][\w@\u0080-\uffff]*/y
const NUMBER = /\d+(?:\.\d+)?/y
const MAX_DEPTH = 60
/** Operators, members and built-ins of one expression, each of which may be a level of its tree. */
const MAX_OPERATORS = 500

/** Operators from those that bind weakest; words stand for signs that would end a tag. */
const LEVELS: readonly { readonly [sign: string]: string }[] = [
  { '||': '||' },
  { '&&': '&&' },
  { '==': '==', '=': '==', '!=': '!=' },
  {
    lte: '<=',
    gte: '>=',
    lt: '<',
    gt: '>',
    '<=': '<=',
    '>=': '>=',
    '<': '<',
    '>': '>',
    '&lt;': '<',
    '&gt;': '>',
  },
  { '..<': '..<', '..': '..' },
  { '+': '+', '-': '-' },
  { '*': '*', '/': '/', '%': '%' },
]

const ESCAPES: { readonly [letter: string]: string } = { n: '\n', t: '\t', r: '\r', l: '<', g: '>', a: '&' }

/**
 * Reads one expression of FreeMarker from a text.
 *
 * @param at where the text stands, for messages.
 * @throws badRequest naming the place.
 */
export const parseExpression = (source: string, at: Place): Expression => {
  const { expression, rest } = parseLeading(source, at)
  if (rest.trim() !== '')
    throw refuse(at, `'${rest.trim().slice(0, 40)}' is not understood in '${shown(source)}'`)
  return expression
}

const shown = (source: string): string => source.trim().slice(0, 80)

/** Reads the expression that a text begins with, and says what stands behind it. */
export const parseLeading = (source: string, at: Place): { expression: Expression; rest: string } => {
  let position = 0
  let depth = 0
  let operators = 0
  const wrong = (message: string) => refuse(at, `${message} in '${shown(source)}'`)

  const countOperator = (): void => {
    if (++operators > MAX_OPERATORS) throw wrong(`there are more than ${MAX_OPERATORS} operators`)
  }

  const skip = (): void => {
    SPACE.lastIndex = position
    if (SPACE.test(source)) position = SPACE.lastIndex
  }
  const read = (pattern: RegExp): string | undefined => {
    skip()
    pattern.lastIndex = position
    const [found] = pattern.exec(source) ?? []
    if (found !== undefined) position += found.length
    return found
  }
  const peeks = (sign: string): boolean => {
    skip()
    return source.startsWith(sign, position)
  }
  const takes = (sign: string): boolean => {
    if (!peeks(sign)) return false
    position += sign.length
    return true
  }
  const must = (sign: string): void => {
    if (!takes(sign)) throw wrong(`'${sign}' is missing`)
  }

  const listUntil = (close: string): Expression[] => {
    const items: Expression[] = []
    while (!takes(close)) {
      if (items.length > 0) must(',')
      items.push(binary(0))
    }
    return items
  }

  const holesOf = (text: string): Expression => {
    const parts: Expression[] = []
    let from = 0
    for (let open = text.indexOf('${'); open >= 0; open = text.indexOf('${', from)) {
      const close = text.indexOf('}', open)
      if (close < 0) throw wrong("'}' is missing")
      parts.push(
        { kind: 'literal', value: text.slice(from, open) },
        parseExpression(text.slice(open + 2, close), at),
      )
      from = close + 1
    }
    const last: Expression = { kind: 'literal', value: text.slice(from) }
    return parts.length === 0 ? last : { kind: 'text', parts: [...parts, last] }
  }

  const text = (quote: string, isRaw: boolean): Expression => {
    let value = ''
    for (;;) {
      const char = source[position++]
      if (char === undefined) throw wrong('a text has no end')
      if (char === quote) return isRaw ? { kind: 'literal', value } : holesOf(value)
      if (char !== '\\' || isRaw) value += char
      else {
        const escaped = source[position++] ?? ''
        const code = escaped === 'x' ? /^[0-9a-fA-F]{1,4}/.exec(source.slice(position))?.[0] : undefined
        if (code !== undefined) position += code.length
        value +=
          code === undefined ? (ESCAPES[escaped] ?? escaped) : String.fromCharCode(Number.parseInt(code, 16))
      }
    }
  }

  const map = (): Expression => {
    const entries: (readonly [Expression, Expression])[] = []
    while (!takes('}')) {
      if (entries.length > 0) must(',')
      const key = binary(0)
      must(':')
      entries.push([key, binary(0)])
    }
    return { kind: 'map', entries }
  }

  const atom = (): Expression => {
    const number = read(NUMBER)
    if (number !== undefined) return { kind: 'literal', value: Number(number) }
    if (takes('"')) return text('"', false)
    if (takes("'")) return text("'", false)
    if (takes('r"')) return text('"', true)
    if (takes("r'")) return text("'", true)
    if (takes('[')) return { kind: 'list', items: listUntil(']') }
    if (takes('{')) return map()
    if (takes('(')) {
      const inner = binary(0)
      must(')')
      return inner
    }
    const name = read(NAME)
    if (name === 'true' || name === 'false') return { kind: 'literal', value: name === 'true' }
    if (name !== undefined) return { kind: 'name', name }
    throw wrong(
      position < source.length
        ? `'${source.slice(position, position + 20)}' is not understood`
        : 'something is missing',
    )
  }

  const startsOperand = (): boolean => {
    skip()
    return (
      /[\w"'[{(\u0080-\uffff]/.test(source[position] ?? '') &&
      !/^(?:lte?|gte?|as)\b/.test(source.slice(position))
    )
  }

  const indexed = (of: Expression): Expression => {
    const from = binary(LEVELS.length - 2)
    if (takes('..')) {
      const to = peeks(']') ? undefined : binary(LEVELS.length - 2)
      must(']')
      return { kind: 'slice', of, from, to }
    }
    must(']')
    return { kind: 'member', of, key: from }
  }

  const postfix = (): Expression => {
    let of = atom()
    for (; ; countOperator()) {
      if (takes('??')) of = { kind: 'exists', of }
      else if (takes('?')) {
        const name = read(NAME) ?? ''
        of = { kind: 'builtIn', of, name, args: takes('(') ? listUntil(')') : [] }
      } else if (!peeks('..') && takes('.')) {
        const name = read(NAME)
        if (name === undefined) throw wrong("a name is missing after '.'")
        of = { kind: 'member', of, key: { kind: 'literal', value: name } }
      } else if (takes('[')) of = indexed(of)
      else if (takes('(')) of = { kind: 'call', callee: of, args: listUntil(')') }
      else if (!peeks('!=') && takes('!'))
        of = { kind: 'otherwise', of, fallback: startsOperand() ? postfix() : undefined }
      else return of
    }
  }

  const unary = (): Expression => {
    for (const operator of ['!', '-', '+'] as const)
      if (takes(operator)) {
        countOperator()
        return { kind: 'unary', operator, of: unary() }
      }
    return postfix()
  }

  const operatorOf = (level: { readonly [sign: string]: string }): string | undefined => {
    for (const [sign, operator] of Object.entries(level)) {
      if (!peeks(sign)) continue
      const isWord = /^\w/.test(sign)
      if (isWord && /\w/.test(source[position + sign.length] ?? '')) continue
      position += sign.length
      return operator
    }
    return undefined
  }

  const binary = (level: number): Expression => {
    const signs = LEVELS[level]
    if (signs === undefined) return unary()
    if (level === 0 && ++depth > MAX_DEPTH) throw wrong('brackets are nested too deeply')
    let left = binary(level + 1)
    for (let operator = operatorOf(signs); operator !== undefined; operator = operatorOf(signs)) {
      countOperator()
      left = { kind: 'binary', operator, left, right: binary(level + 1) }
    }
    if (level === 0) depth--
    return left
  }

  return { expression: binary(0), rest: source.slice(position) }
}
