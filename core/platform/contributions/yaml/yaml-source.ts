import {
  type Document,
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  parseDocument,
  visit,
  type YAMLError,
} from 'yaml'
import type { ErrorDetail } from '../../errors/index.js'
import { doubtfulLines } from './doubtful-lines.js'

/** A parsed YAML text whose values can be traced back to line and column. */
export type YamlSource = {
  /** The content as plain values; undefined when the text has problems. */
  value: unknown
  /** Syntax errors. */
  problems: ErrorDetail[]
  /** The position of a path: its value (or its key, when asked and for maps and lists), else its nearest parent. */
  locate(path: readonly PropertyKey[], onKey?: boolean): { line: number; column: number }
  /** Whether the path exists with exactly this plain value. */
  holds(path: readonly PropertyKey[], value: string): boolean
  /** Present beside a syntax error: what could be read in spite of it. */
  recovered?: Recovered
}

/** The source without its syntax error, and whether a mistake at a path follows from the error alone. */
export type Recovered = { source: YamlSource; isDoubtful(path: readonly PropertyKey[]): boolean }

const TOO_DEEP = 'nested too deeply'

/** Reads a YAML text; never throws, whatever the text. */
export const parseYamlSource = (text: string): YamlSource => {
  const lines = new LineCounter()
  const at = (offset: number) => {
    const { line, col } = lines.linePos(offset)
    return { line: Math.max(line, 1), column: Math.max(col, 1) }
  }
  const broken = (problems: ErrorDetail[]): YamlSource => ({
    value: undefined,
    problems,
    locate: () => ({ line: 1, column: 1 }),
    holds: () => false,
  })
  try {
    const document = parseDocument(text, { lineCounter: lines, prettyErrors: false })
    // A warning is an unknown tag or directive, whose meaning would be lost silently. Of several faults
    // only the first is the author's, the others follow from it.
    const fault = document.errors[0] ?? document.warnings[0]
    const badKey = findBadKey(document)
    if (badKey && !fault) return broken([{ message: badKey.message, ...at(badKey.offset) }])
    const resolveAlias = (node: Node | null) => (isAlias(node) ? (node.resolve(document) ?? null) : node)
    const steps = (path: readonly PropertyKey[]) => walk(document.contents, path, resolveAlias)
    const source = (): YamlSource => ({
      value: plainValueOf(document, fault !== undefined),
      problems: [],
      locate: (path, onKey = false) => at(onKey ? steps(path).keyOffset : steps(path).offset),
      holds: (path, value) => {
        const { found, node } = steps(path)
        return found && isScalar(node) && String(node.value) === value
      },
    })
    if (!fault) return source()
    const problem = { message: syntaxMessage(text, fault), ...at(fault.pos[0]) }
    if (badKey || document.contents === null) return broken([problem])
    const faults = document.errors.map(({ pos, message }) => ({ offset: pos[0], message }))
    const isInDoubt = doubtfulLines(document.contents, faults, (offset) => at(offset).line)
    const isDoubtful = (path: readonly PropertyKey[]) => {
      const { found, offset, keyOffset } = steps(path)
      // What is missing may stand where nothing could be read.
      return !found || isInDoubt(at(offset).line) || isInDoubt(at(keyOffset).line)
    }
    return { ...broken([problem]), recovered: { source: source(), isDoubtful } }
  } catch (error) {
    // The parser recurses, and refuses aliases that would grow without bound.
    if (error instanceof RangeError) return broken([{ message: TOO_DEEP, line: 1, column: 1 }])
    if (error instanceof ReferenceError) return broken([{ message: error.message, line: 1, column: 1 }])
    throw error
  }
}

/** @param isBroken the parser refuses such a document as a whole, unless its errors are taken away. */
const plainValueOf = (document: Document, isBroken: boolean): unknown => {
  if (isBroken) document.errors = []
  return document.toJS()
}

const syntaxMessage = (text: string, { message, pos }: YAMLError): string => {
  if (message.startsWith('Maximum call stack')) return TOO_DEEP
  if (text.slice(pos[0], pos[0] + 2) === '[]')
    return 'inside { } a type with brackets needs quotes: "string[]"'
  return message
}

/** Keys that plain objects cannot carry: other than text, and the one that JavaScript takes for the prototype. */
const findBadKey = (document: Document): { message: string; offset: number } | undefined => {
  let bad: { message: string; offset: number } | undefined
  visit(document, {
    Pair: (_, { key }) => {
      const isText = isScalar(key)
      if (isText && key.value !== '__proto__') return undefined
      const message = isText ? 'the name __proto__ is not allowed' : 'a key must be plain text'
      bad = { message, offset: (isNode(key) && key.range?.[0]) || 0 }
      return visit.BREAK
    },
  })
  return bad
}

type Place = { found: boolean; node: Node | null; offset: number; keyOffset: number }

const walk = (
  root: Node | null,
  path: readonly PropertyKey[],
  resolve: (node: Node | null) => Node | null,
): Place => {
  let node = root
  let offset = root?.range?.[0] ?? 0
  let keyOffset = offset
  for (const step of path) {
    const next = child(resolve(node), step)
    if (next === undefined) return { found: false, node, offset, keyOffset }
    node = next.node
    const target = isScalar(node) && node.range && node.source !== '' ? node : (next.key ?? node)
    offset = target?.range?.[0] ?? offset
    keyOffset = next.key?.range?.[0] ?? offset
  }
  return { found: true, node, offset, keyOffset }
}

const child = (node: Node | null, step: PropertyKey): { key: Node | null; node: Node | null } | undefined => {
  if (isMap(node)) {
    const pair = node.items.find(({ key }) => String(isScalar(key) ? key.value : key) === String(step))
    if (!pair) return undefined
    return { key: isNode(pair.key) ? pair.key : null, node: isNode(pair.value) ? pair.value : null }
  }
  if (!isSeq(node)) return undefined
  const item = node.items[Number(step)]
  return item === undefined ? undefined : { key: null, node: isNode(item) ? item : null }
}
