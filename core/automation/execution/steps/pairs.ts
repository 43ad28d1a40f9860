import { fail } from '../../../platform/errors/index.js'
import type { Operation } from '../../language/index.js'

const identityOf = (entry: unknown): unknown =>
  typeof entry === 'object' && entry !== null && 'id' in entry ? entry.id : entry

/**
 * Refuses a call that would do something for each pair of an input document and an entry of a parameter, each entry counted
 * once, oftener than the parameter says.
 *
 * @param documents of the input.
 * @throws badRequest naming the parameter and both numbers.
 */
export const requireFewPairs = (
  { params }: Pick<Operation, 'params'>,
  values: { [name: string]: unknown },
  documents: number,
): void => {
  for (const [name, { mostPairs }] of Object.entries(params)) {
    const list = values[name]
    if (mostPairs === undefined || !Array.isArray(list)) continue
    const entries = new Set(list.map(identityOf)).size
    if (documents * entries > mostPairs)
      throw fail(
        'badRequest',
        `${name}: ${entries} entries for each of ${documents} documents are ${documents * entries}, more than ${mostPairs} in one call`,
      )
  }
}
