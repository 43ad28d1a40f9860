import { isMap, isNode, isSeq, type Node } from 'yaml'

/** Where the parser stumbled. `message`: its own. */
export type SyntaxFault = { offset: number; message: string }

/** Faults behind which the parser reads what is not meant. */
const UNCLOSED = /^(?:Missing closing|Flow )/

export const isUnclosed = (message: string): boolean => UNCLOSED.test(message)

/** Keys and items of a text are parts down to this depth: steps of a chain, contributions of a file. */
const DEPTH = 2

const startsOf = (node: unknown, depth: number): number[] => {
  if (depth === 0) return []
  if (isMap(node))
    return node.items.flatMap(({ key, value }) => [...offsetOf(key), ...startsOf(value, depth - 1)])
  if (isSeq(node)) return node.items.flatMap((item) => [...offsetOf(item), ...startsOf(item, depth - 1)])
  return []
}

const offsetOf = (node: unknown): number[] => (isNode(node) && node.range ? [node.range[0]] : [])

/**
 * What may follow from a syntax error alone: mistakes on lines of the part in which it is, and behind it where
 * something is not closed. What the parser has recovered elsewhere is what its author meant.
 *
 * @param lineOf the line of an offset, from 1.
 * @returns whether a line is in doubt.
 */
export const doubtfulLines = (
  contents: Node | null,
  faults: readonly SyntaxFault[],
  lineOf: (offset: number) => number,
): ((line: number) => boolean) => {
  const starts = startsOf(contents, DEPTH).map(lineOf)
  const ranges = faults.map(({ offset, message }) => {
    const at = lineOf(offset)
    const from = Math.max(1, ...starts.filter((line) => line <= at))
    const to = isUnclosed(message) ? Infinity : Math.min(...starts.filter((line) => line > at))
    return { from, to }
  })
  return (line) => ranges.some(({ from, to }) => line >= from && line < to)
}
