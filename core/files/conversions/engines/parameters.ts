import { fail } from '../../../platform/errors/index.js'

type Parameters = Readonly<Record<string, string>>

/** A whole number from 1 to `max`, or undefined when the parameter is absent or blank. */
export const positiveInteger = (parameters: Parameters, name: string, max: number): number | undefined => {
  const text = parameters[name]?.trim()
  if (!text) return undefined
  const value = Number(text)
  if (!/^\d+$/.test(text) || value < 1 || value > max)
    throw fail('badRequest', `${name}: expected a whole number from 1 to ${max}, got ${JSON.stringify(text)}`)
  return value
}

/** A whole number from -`max` for angles, else from 0, to `max`; undefined when the parameter is absent or blank. */
export const wholeNumber = (parameters: Parameters, name: string, max: number): number | undefined => {
  const text = parameters[name]?.trim()
  if (!text) return undefined
  const value = Number(text)
  const least = name === 'angle' ? -max : 0
  if (!/^-?\d+$/.test(text) || value < least || value > max)
    throw fail(
      'badRequest',
      `${name}: expected a whole number from ${least} to ${max}, got ${JSON.stringify(text)}`,
    )
  return value
}
