import type { PropertyValue } from '../../../model/properties/index.js'
import { fail } from '../../../platform/errors/index.js'

/** The parameters of a converter or command line as texts. @throws badRequest for a list or a map. */
export const textParameters = (parameters: { [name: string]: PropertyValue }): { [name: string]: string } =>
  Object.fromEntries(
    Object.entries(parameters).map(([name, value]) => {
      if (value === null || typeof value === 'object')
        throw fail('badRequest', `parameters: ${name} must be a text, a number or a boolean`)
      return [name, String(value)]
    }),
  )
