import {
  type Alias,
  type Document,
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  type Pair,
  parseDocument,
  type Scalar,
  visit,
} from 'yaml'
import { doubtfulLines, isUnclosed, type Place, type Report } from '../../../platform/contributions/index.js'
import { MAX_DEPTH, MAX_PROBLEMS, MAX_VALUES } from '../limits.js'
import { refusalOfKey, refusalOfText } from './text-rules.js'
import type { Entry, Tree } from './tree.js'

type Reading = {
  /** What each alias stands for. */
  targets: ReadonlyMap<Alias, Node>
  at(node: unknown): Place
  /** What is deployed. */
  text: string
  report: Report
  /** Counts every value met, those behind aliases each time. */
  values: number
}

/** Thrown inside of the reading alone: what is refused as a whole is not worth a list of problems. */
class RefusedTree extends Error {
  readonly at: Place
  constructor(message: string, at: Place) {
    super(message)
    this.at = at
  }
}

/** `isDoubtful`, where there are syntax errors: whether a mistake on a line may follow from them alone. */
export type ReadTree = { tree: Tree; isDoubtful?: (line: number) => boolean }

/**
 * Reads YAML (and JSON, which is part of it) into a tree with places. Reports what is wrong, and returns undefined
 * where nothing can be made of the text; never throws. Aliases are followed within a budget, so that anchors that
 * multiply one another end in a message instead of in memory.
 */
export const readYamlTree = (text: string, report: Report): ReadTree | undefined => {
  const lines = new LineCounter()
  const placeOf = (offset: number): Place => {
    const { line, col } = lines.linePos(offset)
    return { line: Math.max(line, 1), column: Math.max(col, 1) }
  }
  try {
    // Keys are compared in `entriesOf`: the parser's own comparison takes quadratic time.
    const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, uniqueKeys: false })
    const faults = document.errors.length > 0 ? document.errors : document.warnings.slice(0, 1)
    if (faults.length > 0) {
      for (const { place, message } of firstOfLines(faults, (fault) => placeOf(beginningOf(fault, document))))
        report('', place, messageOf(message))
    }
    const at = (node: unknown): Place => placeOf(offsetOf(node))
    const read = (reporting: Report): Tree =>
      treeOf(document.contents, { targets: targetsOf(document), at, text, report: reporting, values: 0 }, 0)
    if (faults.length === 0) return { tree: read(report) }
    if (document.errors.length === 0 || document.contents === null) return undefined
    const offsets = document.errors.map(({ pos, message }) => ({ offset: pos[0], message }))
    const isDoubtful = doubtfulLines(document.contents, offsets, (offset) => placeOf(offset).line)
    return recovered(() => ({ tree: read(certain(report, isDoubtful)), isDoubtful }))
  } catch (error) {
    if (error instanceof RefusedTree) report('', error.at, error.message)
    // The parser recurses as deep as the text does.
    else if (error instanceof RangeError) report('', { line: 1, column: 1 }, TOO_DEEP)
    else throw error
    return undefined
  }
}

type Fault = { pos: readonly [number, number]; message: string }

/** Reports what does not follow from syntax errors alone. */
export const certain =
  (report: Report, isDoubtful: (line: number) => boolean): Report =>
  (field, at, message) => {
    if (at?.line !== undefined && !isDoubtful(at.line)) report(field, at, message)
  }

/** A tree that is refused as a whole is not reported beside the syntax error. */
const recovered = (read: () => ReadTree): ReadTree | undefined => {
  try {
    return read()
  } catch (error) {
    if (error instanceof RefusedTree || error instanceof RangeError) return undefined
    throw error
  }
}

/** Where a fault stands. Of a text that is not closed the parser may say where it ends. */
const beginningOf = ({ pos, message }: Fault, document: Document): number => {
  let offset = pos[0]
  if (isUnclosed(message))
    visit(document, {
      Scalar: (_key, { type, range }) => {
        if (type?.startsWith('QUOTE') && range && range[0] <= pos[0]) offset = range[0]
      },
    })
  return offset
}

/** The first fault of each line: what the parser stumbles over next in the same line mostly follows from that. */
const firstOfLines = (
  faults: readonly Fault[],
  placeOf: (fault: Fault) => Place,
): { place: Place; message: string }[] => {
  const byLine = new Map<number, { place: Place; message: string }>()
  for (const fault of faults) {
    const { message } = fault
    const place = placeOf(fault)
    if (!byLine.has(place.line)) byLine.set(place.line, { place, message })
    if (byLine.size === MAX_PROBLEMS || isUnclosed(message)) break
  }
  return [...byLine.values()]
}

/** Found on one way through the text: the parser looks for each alias from the beginning. */
const targetsOf = (document: Document): ReadonlyMap<Alias, Node> => {
  const anchored = new Map<string, Node>()
  const targets = new Map<Alias, Node>()
  visit(document, (_key, node) => {
    if (isAlias(node)) {
      const target = anchored.get(node.source)
      if (target) targets.set(node, target)
    } else if (isNode(node) && 'anchor' in node && node.anchor) anchored.set(node.anchor, node)
  })
  return targets
}

const TOO_DEEP = `nested deeper than ${MAX_DEPTH} levels`

/** What the parser stumbles over where an expression stands without quotes. */
const HINTS = [
  ['Nested mappings', 'a text with a colon and a space in it is written in quotes'],
  ['Block collections are not allowed', 'a text with a colon and a space in it is written in quotes'],
  ['Unexpected flow-', 'between { and } a text with brackets or braces in it is written in quotes'],
  ['Tabs are not allowed', 'indent with spaces'],
  ['Implicit keys need', 'is a colon missing at the end of this line?'],
  ['Implicit map keys need', 'is a colon missing in this line, or the space behind it?'],
  [
    'Unexpected scalar',
    'the text ends at the quote before this: take the other kind of quotes around it, or double a \' and put \\ before a " inside',
  ],
  ['Missing closing', 'the text that begins here has no quote at its end'],
] as const

const messageOf = (message: string): string => {
  if (message.startsWith('Maximum call stack')) return TOO_DEEP
  const hint = HINTS.find(([start]) => message.startsWith(start))
  if (hint) return `${message}; ${hint[1]}`
  return message.startsWith('Source contains multiple documents')
    ? 'more than one YAML document; a chain is one, and several in one file are written as chains: {name: […], other: […]}'
    : message
}

const offsetOf = (node: unknown): number =>
  typeof node === 'object' && node !== null && 'range' in node && Array.isArray(node.range)
    ? Number(node.range[0])
    : 0

const treeOf = (node: Node | null, reading: Reading, depth: number): Tree => {
  const at = reading.at(node)
  reading.values += 1
  if (reading.values > MAX_VALUES)
    throw new RefusedTree(`more than ${MAX_VALUES} values, aliases followed`, at)
  if (depth > MAX_DEPTH) throw new RefusedTree(TOO_DEEP, at)
  if (isAlias(node)) {
    const target = reading.targets.get(node)
    if (!target) throw new RefusedTree(`nothing is anchored as "${node.source}" before this`, at)
    return { ...treeOf(target, reading, depth + 1), at }
  }
  if (isMap(node)) return { kind: 'map', at, entries: entriesOf(node.items, reading, depth) }
  if (isSeq(node)) return { kind: 'list', at, items: itemsOf(node.items, reading, depth) }
  return {
    kind: 'scalar',
    at,
    value: isScalar(node) ? scalarOf(node, reading) : null,
    ...textAt(node, reading),
  }
}

/** Plain, or in quotes without escapes. */
const textAt = (node: Node | null, { at, text }: Reading): { textAt?: Place } => {
  if (!isScalar(node) || typeof node.value !== 'string' || node.value.includes('\n')) return {}
  const offset = offsetOf(node)
  const quote = text.startsWith(node.value, offset) ? 0 : 1
  if (!text.startsWith(node.value, offset + quote)) return {}
  const { line, column } = at(node)
  return { textAt: { line, column: column + quote } }
}

/** Items of a list are nodes, but for the pairs of an `!!omap`, which no chain needs. */
const itemsOf = (items: readonly unknown[], reading: Reading, depth: number): Tree[] =>
  items.map((item) => treeOf(item as Node | null, reading, depth + 1))

const entriesOf = (pairs: readonly Pair[], reading: Reading, depth: number): Entry[] => {
  const seen = new Set<string>()
  return pairs.map((pair) => {
    const keyAt = reading.at(pair.key)
    const name = isScalar(pair.key) ? pair.key.value : undefined
    if (typeof name !== 'string' && typeof name !== 'number' && typeof name !== 'boolean')
      throw new RefusedTree('a key must be a plain text', keyAt)
    const key =
      isScalar(pair.key) && typeof name !== 'string' ? (pair.key.source ?? String(name)) : String(name)
    const refusal = refusalOfKey(key) ?? (seen.has(key) ? `the key "${key}" appears twice` : undefined)
    if (refusal) reading.report(key, keyAt, refusal)
    seen.add(key)
    return { key, keyAt, value: treeOf(pair.value as Node | null, reading, depth + 1) }
  })
}

const scalarOf = (node: Scalar, reading: Reading): null | string | number | boolean => {
  const { value } = node
  if (value === null || value === undefined || typeof value === 'boolean') return value ?? null
  if (typeof value === 'string') {
    const refusal = refusalOfText(value)
    if (refusal) reading.report('', reading.at(node), refusal)
    return value
  }
  if (typeof value !== 'number')
    throw new RefusedTree('only texts, numbers and booleans are allowed', reading.at(node))
  const isExact = Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value))
  if (!isExact)
    reading.report(
      '',
      reading.at(node),
      `the number ${node.source} cannot be kept exactly; write it in quotes`,
    )
  return value
}
