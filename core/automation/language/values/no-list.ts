import { type ArchivoltError, fail } from '../../../platform/errors/index.js'
import { typeOf, type Value } from './values.js'

/** What a loop over the list in a variable fails with when the variable holds none, in runs and in dry runs. */
export const noList = (variable: string, held: Value | undefined): ArchivoltError => {
  const type = held === undefined || held.type === 'void' ? 'missing' : typeOf(held)
  return fail('badRequest', `list: the variable '${variable}' is not a list but ${type}`)
}
