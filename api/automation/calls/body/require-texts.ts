import type { Callable } from '../../../../core/automation/language/index.js'
import type { RunRequest } from '../../../../core/automation/planning/index.js'
import { fail } from '../../../../core/platform/errors/index.js'

/**
 * Refuses a map or list where an operation takes a text. The steps of a chain may write one there, as its JSON.
 *
 * @throws badRequest naming the parameter.
 */
export const requireTexts = (callable: Callable, { params }: Pick<RunRequest, 'params'>): void => {
  if (callable.kind !== 'operation') return
  for (const [name, { type, aliases = [] }] of Object.entries(callable.operation.params)) {
    if (type !== 'string') continue
    for (const candidate of [name, ...aliases]) {
      const given = params[candidate]
      if (typeof given === 'object' && given !== null)
        throw fail('badRequest', `Parameter ${candidate}: expected a text, found a ${kindOf(given)}`)
    }
  }
}

const kindOf = (given: object): string => (Array.isArray(given) ? 'list' : 'map')
