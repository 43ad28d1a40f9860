const ID = /^[\p{L}\p{N}_][\p{L}\p{N}_.:()+ -]{0,199}$/u

/** The schema of all chains stands beside them, and the login beside what is run. */
const RESERVED = ['schema.json', 'login']
/** Names a chain on the wire. */
const RESERVED_PREFIX = 'Chain.'

/** Why a text cannot be a chain's id or alias; undefined when it can. */
export const refusalOfId = (id: string): string | undefined => {
  if (!ID.test(id) || id.endsWith(' '))
    return 'must be 1 to 200 letters, digits, spaces or any of _ . : - + ( ), beginning with a letter, a digit or _'
  if (id.startsWith(RESERVED_PREFIX)) return `must not begin with ${RESERVED_PREFIX}`
  return RESERVED.includes(id) ? 'is reserved' : undefined
}
