import { fail } from '../../platform/errors/index.js'

/** Tags of one document: each is read and written with it. */
export const MAX_TAGS = 1_000
/** Longer than any tag that is readable. */
const MAX_LENGTH = 255
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are in no label that somebody could type again
const DROPPED = /[\s/\\'%\u0000-\u001f\u007f]/g

/** What a caller wrote, as labels are compared: lower case, without spaces, slashes, quotes and percent signs. */
export const normalLabel = (written: string): string => written.toLowerCase().replace(DROPPED, '')

/**
 * The label of a tag as it is stored (workflow-audit.md §9).
 *
 * @throws badRequest when nothing is left of it, or too much.
 */
export const tagLabel = (written: string): string => {
  const label = normalLabel(written)
  if (label === '') throw fail('badRequest', `tags: '${written}' has no character that a tag may have`)
  if (label.length > MAX_LENGTH)
    throw fail('badRequest', `tags: a tag is longer than ${MAX_LENGTH} characters`)
  return label
}

/**
 * The labels in a list of tags, each once; blank ones are skipped.
 *
 * @throws badRequest when there is none, or more than a document may have.
 */
export const tagLabels = (written: readonly string[]): string[] => {
  if (written.length > MAX_TAGS) throw fail('badRequest', `tags: names more than ${MAX_TAGS} tags`)
  const labels = written.filter((text) => text.trim() !== '').map(tagLabel)
  if (labels.length === 0) throw fail('badRequest', 'tags: must name at least one tag')
  return [...new Set(labels)]
}
