import { fail } from '../../errors/index.js'

/** What a caller says about the version it believes to be in force; versions of a contribution, or any. */
export type Precondition = { ifMatch?: '*' | readonly number[]; ifNoneMatch?: '*' | readonly number[] }

const matches = (condition: '*' | readonly number[], version: number | undefined): boolean =>
  version !== undefined && (condition === '*' || condition.includes(version))

/**
 * @param label what messages call the contribution: `Chain 'x'`.
 * @param version the version in force; undefined when there is none.
 * @throws preconditionFailed.
 */
export const checkPrecondition = (
  label: string,
  version: number | undefined,
  { ifMatch, ifNoneMatch }: Precondition,
): void => {
  const now = version === undefined ? 'does not exist' : `is at version ${version}`
  if (ifMatch && !matches(ifMatch, version))
    throw fail('preconditionFailed', `${label} ${now}, which If-Match does not allow`)
  if (ifNoneMatch && matches(ifNoneMatch, version))
    throw fail('preconditionFailed', `${label} ${now}, which If-None-Match does not allow`)
}
