import { type Token, tokenize } from '../../../platform/sandbox/expressions/index.js'
import { isNameOfScripts, type ScriptNames } from '../../../platform/sandbox/scripts/index.js'
import { isApiObject } from './api-functions.js'
import { type Call, callsIn, closersOf, isText, nameOf, placesIn } from './calls.js'

type Position = { line: number; column: number }

/** A parameter that a call writes down, with its value where that is one word: `true`. */
type WrittenParam = Position & { name: string; word?: string }

/** A call of an operation or chain in a script, with the parameters of a map that stands in it. */
export type OperationCall = Position & { name: string; id: string; params: readonly WrittenParam[] }

type Brackets = { tokens: readonly Token[]; closers: ReadonlyMap<number, number> }

/** The next comma, or closing bracket, behind a token of the same list. */
const endOfItem = ({ tokens, closers }: Brackets, from: number): number => {
  let at = from
  while (at < tokens.length && !isText(tokens[at], ',', ')', ']', '}')) at = (closers.get(at) ?? at) + 1
  return at
}

const keyOf = (token: Token | undefined): string | undefined => {
  if (token?.kind === 'name') return token.text
  return token?.kind === 'string' && !token.text.includes('\\') ? token.text.slice(1, -1) : undefined
}

/** `{ a: 1, "b": 2, c }`; names that are computed, or spread, are not known. */
const keysIn = (brackets: Brackets, open: number): readonly { name: string; at: number; word?: string }[] => {
  const { tokens, closers } = brackets
  const close = closers.get(open) ?? tokens.length
  const keys: { name: string; at: number; word?: string }[] = []
  for (let index = open + 1; index < close; index = endOfItem(brackets, index) + 1) {
    const [key, sign, value] = tokens.slice(index, index + 3)
    const name = keyOf(key)
    if (!key || name === undefined || !isText(sign, ':', ',', '}', '(')) continue
    const isWord = isText(sign, ':') && endOfItem(brackets, index + 2) === index + 3
    keys.push({ name, at: key.at, ...(isWord && value && { word: value.text }) })
  }
  return keys
}

const idOf = ({ family, member }: Call, { families, flat }: ScriptNames): string | undefined => {
  if (isApiObject(family) || isNameOfScripts(family)) return undefined
  if (member === undefined) return flat.get(family)
  return families.get(family)?.find(([known]) => known === member)?.[1]
}

/** Calls of operations and chains that are there, as far as the text of a script shows, in their order. */
export const operationCalls = (script: string, names: ScriptNames): readonly OperationCall[] => {
  const { tokens } = tokenize(script)
  const closers = closersOf(tokens)
  const found = callsIn(tokens).flatMap((call) => {
    const id = idOf(call, names)
    if (id === undefined) return []
    const open = call.index + (call.member === undefined ? 1 : 3)
    const input = endOfItem({ tokens, closers }, open + 1)
    const isMap = isText(tokens[input], ',') && isText(tokens[input + 1], '{')
    const keys = isMap ? keysIn({ tokens, closers }, input + 1) : []
    return [{ name: nameOf(call), id, at: tokens[call.index]!.at, keys }]
  })
  const placeOf = placesIn(script)
  const offsets = found.flatMap(({ at, keys }) => [at, ...keys.map((key) => key.at)])
  const places = new Map(offsets.toSorted((a, b) => a - b).map((offset) => [offset, placeOf(offset)]))
  return found.map(({ name, id, at, keys }) => ({
    ...{ name, id, ...places.get(at)! },
    params: keys.map(({ at: keyAt, ...key }) => ({ ...key, ...places.get(keyAt)! })),
  }))
}
