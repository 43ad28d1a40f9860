import { isTemplate, PREFIX, sourceOf, splitTemplate, type TemplatePart } from './template.js'
import { type Token, tokenize } from './tokens.js'

/** A part of a named value that an expression reads: `ChainParameters["key"]`, `Document.title`. */
export type Reference = {
  holder: string
  key: string
  isCall: boolean
  /** Of the holder, in the text that was passed. */
  at: number
}

const NAVIGATION = ['.', '?.', '.?']
/** A string without escapes. */
const PLAIN = /^(["'])([^\\]*)\1$/

const isText = (token: Token | undefined, ...texts: readonly string[]): boolean =>
  token?.kind === 'punctuator' && texts.includes(token.text)

const keyAfter = (tokens: readonly Token[], at: number): { key: string; isCall: boolean } | undefined => {
  const [first, second, third, fourth] = tokens.slice(at + 1, at + 5)
  if (isText(first, '[') && second?.kind === 'string' && isText(third, ']')) {
    const key = PLAIN.exec(second.text)?.[2]
    return key === undefined ? undefined : { key, isCall: isText(fourth, '(') }
  }
  return isText(first, ...NAVIGATION) && second?.kind === 'name'
    ? { key: second.text, isCall: isText(third, '(') }
    : undefined
}

/** The constant keys by which readable code names some values. */
export const referencesOf = (source: string, holders: readonly string[]): Reference[] => {
  const { tokens } = tokenize(source)
  return tokens.flatMap((token, index) => {
    const isHolder = token.kind === 'name' && holders.includes(token.text)
    if (!isHolder || isText(tokens[index - 1], ...NAVIGATION)) return []
    const found = keyAfter(tokens, index)
    return found ? [{ holder: token.text, at: token.at, ...found }] : []
  })
}

const partsOf = (source: string): readonly TemplatePart[] =>
  isTemplate(source) ? splitTemplate(source) : [{ expression: source, at: 0 }]

/**
 * The constant keys by which a readable expression, or template of expressions, names some values.
 *
 * @param text with or without the mark of an expression.
 */
export const referencesIn = (text: string, holders: readonly string[]): readonly Reference[] => {
  const shift = text.startsWith(PREFIX) ? PREFIX.length : 0
  const source = shift > 0 ? sourceOf(text) : text
  return partsOf(source).flatMap((part) =>
    'text' in part
      ? []
      : referencesOf(part.expression, holders).map((found) => ({
          ...found,
          at: found.at + part.at + shift,
        })),
  )
}

/** Words that stand for no value of their own. */
const WORDS = new Set(
  (
    'and or not empty nil null true false undefined isdef contains new typeof instanceof in of is if else for foreach ' +
    'while do until switch case default break continue return var let const def function this void delete throw try ' +
    'catch finally'
  ).split(' '),
)

/** What declares names of its own. */
const DECLARING =
  /=>|\b(?:function|var|let|const|def|for|foreach|catch)\b|(?<![\w$])[A-Za-z_$][\w$]*\s*=(?![=~>])/

/**
 * The names that an expression, or a template of expressions, reads without their being a property of another; none
 * of one that declares names itself.
 *
 * @param text with or without the mark of an expression.
 */
export const namesIn = (text: string): readonly { name: string; at: number }[] => {
  const shift = text.startsWith(PREFIX) ? PREFIX.length : 0
  const source = shift > 0 ? sourceOf(text) : text
  return partsOf(source).flatMap((part) => {
    if ('text' in part || DECLARING.test(part.expression)) return []
    const { tokens } = tokenize(part.expression)
    return tokens.flatMap((token, index) => {
      const isName = token.kind === 'name' && !WORDS.has(token.text)
      const isKey = isText(tokens[index + 1], ':') || isText(tokens[index - 1], ...NAVIGATION)
      return isName && !isKey ? [{ name: token.text, at: token.at + part.at + shift }] : []
    })
  })
}
