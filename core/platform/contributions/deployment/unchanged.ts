import { isDeepStrictEqual } from 'node:util'
import type { ContributionFormat } from './contribution-store.js'
import type { DeployedVersion, PointHandler } from './point-handler.js'

/** Blank space at the ends of lines, and of the text, means nothing; neither does the indentation of the whole. */
const withoutBlanks = (text: string): string => {
  const lines = text.split(/\r\n|\r|\n/).map((line) => line.trimEnd())
  const said = lines.slice(
    lines.findIndex((line) => line !== ''),
    lines.findLastIndex((line) => line !== '') + 1,
  )
  const least = said.reduce(
    (indent, line) => (line === '' ? indent : Math.min(indent, line.length - line.trimStart().length)),
    Number.POSITIVE_INFINITY,
  )
  return said.map((line) => line.slice(least)).join('\n')
}

/**
 * Whether a text equals a version in force: it is read as the same, and differs in blank space
 * alone. Comments are part of a text, which is returned as it was deployed: other ones are another version. So is
 * a text that replaces a contribution of the configuration, which may change with the product.
 */
export const isSame = (
  handler: PointHandler,
  before: DeployedVersion,
  {
    text,
    format,
    content,
    author,
  }: { text: string; format: ContributionFormat; content: unknown; author: string },
): boolean => {
  const { isRedeployed } = handler
  if (isRedeployed === 'always' || (isRedeployed === 'byOthers' && before.author !== author)) return false
  if (before.version === 0 || before.format !== format) return false
  if (withoutBlanks(before.source) !== withoutBlanks(text)) return false
  // Stored content has lost the order of its keys.
  const read = (version: DeployedVersion): unknown => JSON.parse(handler.write(version, 'json'))
  return isDeepStrictEqual(read(before), read({ ...before, content }))
}
