import type { ContributionFormat } from './contribution-store.js'

const BLANK_LINES = /^(?:[^\S\n]*\n)+/
const indentOf = (line: string): number => line.length - line.replace(/^ +/, '').length

/** In YAML, a comment may stand further left than what it is about. */
const isIndented = (line: string): boolean => !/^\s*(?:#|$)/.test(line)

const withoutIndent = (text: string): string => {
  const lines = text.split('\n')
  const least = lines
    .filter(isIndented)
    .reduce((indent, line) => Math.min(indent, indentOf(line)), Number.POSITIVE_INFINITY)
  return lines.map((line) => line.slice(Math.min(least, indentOf(line)))).join('\n')
}

/**
 * The text of a contribution of a file, which has its place there, as a text of its own: without the blank lines before
 * it, and in YAML without the indentation of the whole. In XML that may be part of a text.
 */
export const ownText = (text: string, format: ContributionFormat): string => {
  const own = text.replace(BLANK_LINES, '')
  return format === 'yaml' ? withoutIndent(own) : own
}
