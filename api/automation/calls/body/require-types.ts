import { type Callable, type ParameterType, truthValue } from '../../../../core/automation/language/index.js'
import type { RunRequest } from '../../../../core/automation/planning/index.js'
import { kindOf, type PropertyValue } from '../../../../core/model/properties/index.js'
import { fail } from '../../../../core/platform/errors/index.js'

/** What a value would have to be; undefined: it is. A blank text is absent, as forms send it. */
const expected: { [type in ParameterType]?: (given: PropertyValue) => string | undefined } = {
  string: (given) => (typeof given === 'object' && given !== null ? 'a text' : undefined),
  boolean: (given) =>
    typeof given === 'string' && given.trim() !== '' && truthValue(given) === undefined
      ? 'true or false'
      : undefined,
}

/**
 * Refuses what an operation would read as something else: a map or list as its JSON, any text as false. The steps of
 * chains may have both.
 *
 * @throws badRequest naming the parameter.
 */
export const requireTypes = (callable: Callable, { params }: Pick<RunRequest, 'params'>): void => {
  if (callable.kind !== 'operation') return
  for (const [name, { type, aliases = [] }] of Object.entries(callable.operation.params)) {
    for (const candidate of [name, ...aliases]) {
      const given = params[candidate]
      const wanted = given === undefined ? undefined : expected[type]?.(given)
      if (given !== undefined && wanted !== undefined)
        throw fail('badRequest', `Parameter ${candidate}: expected ${wanted}, found ${kindOf(given)}`)
    }
  }
}
