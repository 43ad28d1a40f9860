import { createHash } from 'node:crypto'
import type { IndexedDocument } from '../../content/stores/index.js'

/**
 * A digest of all that an entry is made of: the document, its place, its scope and its words. Change tokens alone would
 * not do: an ACL or a move of what is above changes none of what is below.
 */
export const entryDigest = ({ record, scope, ancestors, words }: IndexedDocument): string => {
  const hash = createHash('sha1').update(JSON.stringify([record, scope, ancestors]))
  // Grown word by word: an array of their texts would be thrown away for each of hundreds of words.
  let text = ''
  for (const { word, weight } of words) text += text === '' ? `${word} ${weight}` : `\n${word} ${weight}`
  hash.update(text)
  return hash.digest('base64url')
}
