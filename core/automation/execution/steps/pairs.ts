import { fail } from '../../../platform/errors/index.js'
import type { Operation } from '../../language/index.js'

/**
 * Refuses a call that would do something for each pair of an input document and an entry of a parameter oftener than the
 * parameter says. A text counts once, a document as often as it is named: so often it is in the output.
 *
 * @param documents of the input.
 * @throws badRequest naming the parameter and both numbers.
 */
export const requireFewPairs = (
  { params }: Pick<Operation, 'params'>,
  values: { [name: string]: unknown },
  documents: number,
): void => {
  for (const [name, { type, mostPairs }] of Object.entries(params)) {
    const list = values[name]
    if (mostPairs === undefined || !Array.isArray(list)) continue
    const entries = type === 'documents' ? list.length : new Set(list).size
    if (documents * entries > mostPairs)
      throw fail(
        'badRequest',
        `${name}: ${entries} entries for each of ${documents} documents are ${documents * entries}, more than ${mostPairs} in one call`,
      )
  }
}
