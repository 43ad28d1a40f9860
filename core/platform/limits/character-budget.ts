import { fail } from '../errors/index.js'
import { MAX_CHARACTERS, weightOf } from './weight.js'

/** Counts the characters of what is gathered for one answer, each value once. @throws tooLarge once they are too many. */
export type CharacterBudget = (value: unknown) => void

/** @param refusal says what would have more than the characters that it is given. */
export const createCharacterBudget = (refusal: (most: number) => string): CharacterBudget => {
  let left = MAX_CHARACTERS
  return (value) => {
    left -= weightOf(value)
    if (left < 0) throw fail('tooLarge', refusal(MAX_CHARACTERS))
  }
}
