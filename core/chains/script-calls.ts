import { didYouMean } from '../contributions/index.js'
import { type Token, tokenize } from '../expressions/index.js'
import { isNameOfScripts, type ScriptNames } from '../scripting/index.js'

/** A call, as operations are called, of what no operation or chain is called; its place is in the script. */
export type UnknownCall = { name: string; line: number; column: number; meant?: string }

type Call = { index: number; family: string; member?: string }

const NAVIGATION = ['.', '?.', '.?']
const DECLARING = ['var', 'let', 'const', 'function', 'class', 'new']

const isName = (token: Token | undefined): token is Token => token?.kind === 'name'
const isText = (token: Token | undefined, ...texts: readonly string[]): boolean =>
  token?.kind === 'punctuator' && texts.includes(token.text)

/** Where the bracket at an index is closed. */
const closerOf = (tokens: readonly Token[], open: number): number => {
  let depth = 0
  for (let index = open; index < tokens.length; index++) {
    if (isText(tokens[index], '(')) depth++
    if (isText(tokens[index], ')') && --depth === 0) return index
  }
  return tokens.length
}

/** `Family.Member(…)` and `Flat(…)`, and the names whose every use in the script is of that kind. */
const callsIn = (tokens: readonly Token[]): readonly Call[] => {
  const calls: Call[] = []
  const others = new Set<string>()
  for (const [index, token] of tokens.entries()) {
    if (!isName(token) || isText(tokens[index - 1], ...NAVIGATION)) continue
    const family = token.text
    const [dot, member, open] = tokens.slice(index + 1, index + 4)
    if (isName(tokens[index - 1]) && DECLARING.includes(tokens[index - 1]!.text)) others.add(family)
    else if (isText(dot, '(')) {
      if (isText(tokens[closerOf(tokens, index + 1) + 1], '{')) others.add(family)
      else calls.push({ index, family })
    } else if (isText(dot, ...NAVIGATION) && isName(member)) {
      if (isText(open, '(')) calls.push({ index, family, member: member.text })
      // Whoever looks for an operation knows that it may not be there.
      else others.add(`${family}.${member.text}`)
    } else if (!isText(dot, '[')) others.add(family)
  }
  return calls.filter(
    ({ family, member }) => !others.has(family) && !(member && others.has(`${family}.${member}`)),
  )
}

/** The name that a call is a slip of, if any. */
const meantBy = ({ family, member }: Call, { families, flat }: ScriptNames): string | undefined => {
  if (member === undefined) return didYouMean(family, flat.keys())
  const membersOf = (name: string): readonly string[] => (families.get(name) ?? []).map(([known]) => known)
  if (families.has(family)) {
    const meant = didYouMean(member, membersOf(family))
    return meant && `${family}.${meant}`
  }
  const other = didYouMean(family, families.keys())
  return other !== undefined && membersOf(other).includes(member) ? `${other}.${member}` : undefined
}

const placeOf = (script: string, offset: number): { line: number; column: number } => {
  const lines = script.slice(0, offset).split('\n')
  return { line: lines.length, column: (lines.at(-1) ?? '').length + 1 }
}

/**
 * Calls in a script that lead nowhere, as far as its text shows: members that a family of operations does not have,
 * and names that are almost those of an operation. What a script declares itself is its own.
 */
export const unknownCalls = (script: string, names: ScriptNames): readonly UnknownCall[] => {
  const { families, flat } = names
  const { tokens } = tokenize(script)
  return callsIn(tokens).flatMap((call) => {
    const { index, family, member } = call
    if (isNameOfScripts(family)) return []
    const pairs = families.get(family)
    const isKnown =
      member === undefined ? flat.has(family) : pairs?.some(([known]) => known === member) || flat.has(family)
    if (isKnown) return []
    const name = member === undefined ? family : `${family}.${member}`
    const meant = meantBy(call, names)
    if (meant === undefined && !pairs) return []
    return [{ name, ...placeOf(script, tokens[index]!.at), ...(meant !== undefined && { meant }) }]
  })
}
