import { didYouMean } from '../../../platform/contributions/index.js'
import { type Token, tokenize } from '../../../platform/sandbox/expressions/index.js'
import { isNameOfScripts, type ScriptNames } from '../../../platform/sandbox/scripts/index.js'
import { isApiObject, unknownFunction } from './api-functions.js'

/** A call, as operations are called, of what no operation or chain is called; its place is in the script. */
export type UnknownCall = {
  name: string
  line: number
  column: number
  meant?: string
  /** What is said of it, where it is a function of `Fn`, `Session` or `HTTP` that is meant. */
  mistake?: string
}

export type Call = { index: number; family: string; member?: string }

const NAVIGATION = ['.', '?.', '.?']
const DECLARING = ['var', 'let', 'const', 'function', 'class', 'new']

const isName = (token: Token | undefined): token is Token => token?.kind === 'name'
export const isText = (token: Token | undefined, ...texts: readonly string[]): boolean =>
  token?.kind === 'punctuator' && texts.includes(token.text)

/** Where each bracket is closed, by where it is opened. */
export const closersOf = (tokens: readonly Token[]): ReadonlyMap<number, number> => {
  const closers = new Map<number, number>()
  const open: number[] = []
  for (const [index, token] of tokens.entries()) {
    if (isText(token, '(', '[', '{')) open.push(index)
    const opener = isText(token, ')', ']', '}') ? open.pop() : undefined
    if (opener !== undefined) closers.set(opener, index)
  }
  return closers
}

/** `Family.Member(…)` and `Flat(…)`, and the names whose every use in the script is of that kind. */
export const callsIn = (tokens: readonly Token[]): readonly Call[] => {
  const calls: Call[] = []
  const others = new Set<string>()
  const closers = closersOf(tokens)
  for (const [index, token] of tokens.entries()) {
    if (!isName(token) || isText(tokens[index - 1], ...NAVIGATION)) continue
    const family = token.text
    const [dot, member, open] = tokens.slice(index + 1, index + 4)
    if (isName(tokens[index - 1]) && DECLARING.includes(tokens[index - 1]!.text)) others.add(family)
    else if (isText(dot, '(')) {
      const closer = closers.get(index + 1) ?? tokens.length
      if (isText(tokens[closer + 1], '{')) others.add(family)
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

export const nameOf = ({ family, member }: Call): string =>
  member === undefined ? family : `${family}.${member}`

/** The name that a call is a typo of, if any. */
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

/** Places of offsets that are asked for in ascending order. */
export const placesIn = (script: string): ((offset: number) => { line: number; column: number }) => {
  let line = 1
  let start = 0
  return (offset) => {
    for (let end = script.indexOf('\n', start); end >= 0 && end < offset; end = script.indexOf('\n', start)) {
      line++
      start = end + 1
    }
    return { line, column: offset - start + 1 }
  }
}

/** Different names of a script that are compared with those of operations: nobody who writes one calls as many. */
const MAX_COMPARED = 500

/** Compares each name once. */
const meanings = (names: ScriptNames): ((call: Call) => string | undefined) => {
  const known = new Map<string, string | undefined>()
  return (call) => {
    const name = nameOf(call)
    if (!known.has(name) && known.size < MAX_COMPARED) known.set(name, meantBy(call, names))
    return known.get(name)
  }
}

/**
 * Calls in a script that lead nowhere, as far as its text shows: members that a family of operations does not have,
 * and names that are almost those of an operation. What a script declares itself is its own.
 */
export const unknownCalls = (script: string, names: ScriptNames): readonly UnknownCall[] => {
  const { families, flat } = names
  const { tokens } = tokenize(script)
  const placeOf = placesIn(script)
  const meaning = meanings(names)
  return callsIn(tokens).flatMap((call): UnknownCall[] => {
    const { index, family, member } = call
    if (isApiObject(family)) {
      const mistake = member && unknownFunction(family, member, { isScript: true })
      return mistake ? [{ name: nameOf(call), ...placeOf(tokens[index]!.at), mistake }] : []
    }
    if (isNameOfScripts(family)) return []
    const pairs = families.get(family)
    const isKnown =
      member === undefined ? flat.has(family) : pairs?.some(([known]) => known === member) || flat.has(family)
    if (isKnown) return []
    const meant = meaning(call)
    if (meant === undefined && !pairs) return []
    return [{ name: nameOf(call), ...placeOf(tokens[index]!.at), ...(meant !== undefined && { meant }) }]
  })
}
