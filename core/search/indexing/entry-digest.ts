import { createHash } from 'node:crypto'
import type { IndexedDocument } from '../../content/stores/index.js'

/**
 * A digest of all that an entry is made of: the document, its place, its scope and its words. Change tokens alone would
 * not do: an ACL or a move of what is above changes none of what is below.
 */
export const entryDigest = ({ record, scope, ancestors, words }: IndexedDocument): string => {
  const hash = createHash('sha1').update(JSON.stringify([record, scope, ancestors]))
  hash.update(words.map(({ word, weight }) => `${word} ${weight}`).join('\n'))
  return hash.digest('base64url')
}
