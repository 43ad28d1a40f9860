import type { Problem } from '../failures/index.js'
import { clip, printableLine } from '../terminal/index.js'
import type { ChainFile } from './chain-file.js'

const MARGIN = 40
const WIDTH = 110

/** The part of a long line around a column, and where that column is in it. */
const windowOf = (line: string, column: number): { shown: string; at: number } => {
  const at = Math.min(column - 1, line.length)
  if (line.length <= WIDTH) return { shown: line, at }
  const from = Math.max(0, at - MARGIN)
  const lead = from > 0 ? '…' : ''
  return { shown: clip(`${lead}${line.slice(from)}`, WIDTH), at: at - from + lead.length }
}

/** The line at fault with a caret below the column; tabs stay, so that both lines are as wide. */
const excerpt = (line: string, column: number): string[] => {
  const { shown, at } = windowOf(line, column)
  const safe = shown.replace(/[^\t\P{Cc}]/gu, '\uFFFD')
  return [`    ${safe}`, `    ${safe.slice(0, at).replace(/[^\t]/g, ' ')}^`]
}

/** One problem, or warning, as compilers write it: `file:line:column: message`, then the line with a caret. */
export const problemLines = (
  { path, text }: Pick<ChainFile, 'path' | 'text'>,
  problem: Problem,
  { isWarning = false }: { isWarning?: boolean } = {},
): string[] => {
  const { line, column = 1 } = problem
  const message = `${isWarning ? 'warning: ' : ''}${printableLine(problem.message)}`
  if (line === undefined) {
    const place = [problem.contribution, problem.field].flatMap((part) => (part ? [printableLine(part)] : []))
    return [[path, ...place, message].join(': ')]
  }
  const source = text.split(/\r\n|\r|\n/)[line - 1]
  return [
    `${path}:${line}:${column}: ${message}`,
    ...(source === undefined || source.trim() === '' ? [] : excerpt(source, column)),
  ]
}
