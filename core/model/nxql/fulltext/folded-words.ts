import { normalForm } from '../../../platform/names/index.js'

const SPECIAL: { [letter: string]: string } = { ß: 'ss', œ: 'oe', Œ: 'OE', ø: 'o', æ: 'ae' }

/** Words as one reads them: accents and case folded, everything but letters and digits between them. */
export const foldedWords = (text: string): string[] =>
  normalForm(
    'NFD',
    text.replace(/[ßœŒøæ]/g, (letter) => SPECIAL[letter] ?? letter),
  )
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
