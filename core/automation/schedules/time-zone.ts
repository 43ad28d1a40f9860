import { fail } from '../../platform/errors/index.js'

/** A time zone as the tz database spells it. @throws badRequest for a name that is not in it. */
export const zoneOf = (name: string): string => {
  try {
    // An offset is none: the engine looks zones up by name.
    if (/^[A-Za-z]/.test(name))
      return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
  }
  throw fail('badRequest', `there is no time zone "${name}"; one is named like Europe/Berlin or UTC`)
}
