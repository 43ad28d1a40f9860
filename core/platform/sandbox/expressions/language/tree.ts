import { fail } from '../../../errors/index.js'
import type { Token } from './tokens.js'

/** Tokens with their brackets paired. */
export type Node = { token: Token; items?: undefined } | { token: Token; items: Node[]; close: Token }

const CLOSING: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' }

// Translation recurses by bracket; nobody writes this deep by hand.
const DEEPEST = 200

type Open = { token: Token; items: Node[] }

/** Pairs brackets; throws `badRequest` naming the 1-based position of one that has no partner. */
export const bracketTree = (tokens: readonly Token[]): Node[] => {
  const root: Node[] = []
  const stack: Open[] = []
  for (const token of tokens) {
    const items = stack.at(-1)?.items ?? root
    const text = token.kind === 'punctuator' ? token.text : ''
    if (stack.length > DEEPEST)
      throw fail('badRequest', `Brackets nest deeper than ${DEEPEST} at ${token.at + 1}`)
    if (text in CLOSING) stack.push({ token, items: [] })
    else if (text === ')' || text === ']' || text === '}') {
      const open = stack.pop()
      if (open === undefined || CLOSING[open.token.text] !== text)
        throw fail('badRequest', `Unexpected ${text} at ${token.at + 1}`)
      const parent = stack.at(-1)?.items ?? root
      parent.push({ ...open, close: token })
    } else items.push({ token })
  }
  const unclosed = stack.pop()
  if (unclosed !== undefined)
    throw fail('badRequest', `No closing bracket for ${unclosed.token.text} at ${unclosed.token.at + 1}`)
  return root
}

/** The token that a neighbour sees last of a node. */
export const lastToken = (node: Node | undefined): Token | undefined =>
  node?.items === undefined ? node?.token : node.close

export const isPunctuator = (node: Node | undefined, ...texts: readonly string[]): boolean =>
  node !== undefined && node.token.kind === 'punctuator' && texts.includes(node.token.text)

export const isName = (node: Node | undefined, ...texts: readonly string[]): boolean =>
  node !== undefined && node.token.kind === 'name' && (texts.length === 0 || texts.includes(node.token.text))
