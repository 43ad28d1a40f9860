import type { Place } from '../../../platform/contributions/index.js'

/**
 * Where a place of a script stands in the text that deploys it, whose lines are those of the script but for what is
 * before and behind them; undefined in a notation of other lines, as JSON is.
 */
export const placeOfScript = (text: string, script: string, { line, column }: Place): Place | undefined => {
  const [lines, ours] = [text.split(/\r\n|\r|\n/), script.split(/\r\n|\r|\n/)]
  const wanted = ours[line - 1] ?? ''
  const first = (ours[0] ?? '').trim()
  const start = lines.findIndex(
    (candidate, index) => candidate.includes(first) && lines[index + line - 1]?.includes(wanted.trim()),
  )
  if (start < 0 || wanted.trim() === '') return undefined
  const indent = wanted.length - wanted.trimStart().length
  const at = lines[start + line - 1]!.indexOf(wanted.trim())
  return { line: start + line, column: at + Math.max(column - indent, 1) }
}

/** A place of a script, for a message in a notation of other lines. */
export const lineOfScript = ({ line }: Place): string => ` (line ${line} of the script)`
