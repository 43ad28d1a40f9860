import { suggestion } from '../../../platform/contributions/index.js'
import { FUNCTION_NAMES } from '../../../platform/sandbox/expressions/index.js'

export type ApiObject = keyof typeof FUNCTION_NAMES

/** What only scripts may do. */
const OF_SCRIPTS: { readonly [name in ApiObject]: readonly string[] } = {
  Fn: [],
  HTTP: [],
  BusinessDaysService: [],
  Session: ['saveDocument', 'removeDocument', 'save', 'getPrincipal', 'getRepositoryName'],
}

/** What every value of the language has. */
const INHERITED = new Set(Object.getOwnPropertyNames(Object.prototype))

export const isApiObject = (name: string): name is ApiObject => Object.hasOwn(FUNCTION_NAMES, name)

/** What is said of a function that `Fn`, `Session` or `HTTP` does not have; undefined for one that it has. */
export const unknownFunction = (
  object: ApiObject,
  name: string,
  { isScript }: { isScript: boolean },
): string | undefined => {
  const known = [...FUNCTION_NAMES[object], ...(isScript ? OF_SCRIPTS[object] : [])]
  if (known.includes(name) || INHERITED.has(name)) return undefined
  if (OF_SCRIPTS[object].includes(name)) return `${object}.${name}: only scripts have this function`
  return `${object}.${name}: there is no such function${suggestion(name, known)}`
}
