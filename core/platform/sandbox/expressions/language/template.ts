import { tokenize } from './tokens.js'

const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" }

const entityText = (name: string): string | undefined => {
  if (!name.startsWith('#')) return Object.hasOwn(ENTITIES, name) ? ENTITIES[name] : undefined
  const code = name[1] === 'x' ? Number.parseInt(name.slice(2), 16) : Number.parseInt(name.slice(1), 10)
  return code >= 0 && code <= 0x10ffff ? String.fromCodePoint(code) : undefined
}

/** Resolves the XML entities that an expression carries when it was written in an XML contribution. */
export const unescapeEntities = (text: string): string =>
  text.replace(/&(#x?[0-9a-fA-F]+|[a-z]+);/g, (whole, name: string) => entityText(name) ?? whole)

/** The prefix of an expression. */
export const PREFIX = 'expr:'

/** The source after the prefix of an expression. */
export const sourceOf = (text: string): string => unescapeEntities(text.slice(PREFIX.length))

/** A piece of a template: fixed text, or an expression with its offset in the whole. */
export type TemplatePart = { text: string } | { expression: string; at: number }

export const isTemplate = (text: string): boolean => text.includes('@{')

/** Splits a template; the brace that ends an expression is found by its tokens, so strings may hold braces. */
export const splitTemplate = (text: string): TemplatePart[] => {
  const parts: TemplatePart[] = []
  let at = 0
  for (;;) {
    const open = text.indexOf('@{', at)
    if (open < 0) return [...parts, { text: text.slice(at) }]
    const { end } = tokenize(text, { start: open + 2, untilBrace: true })
    parts.push({ text: text.slice(at, open) }, { expression: text.slice(open + 2, end), at: open + 2 })
    at = end + 1
  }
}
