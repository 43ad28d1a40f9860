import { type Callable, valueOfJson } from '../../../../core/automation/language/index.js'
import type { RunRequest } from '../../../../core/automation/planning/index.js'
import { fail } from '../../../../core/platform/errors/index.js'
import { parseInput } from '../../../parse/index.js'
import { callRequest } from '../calls.schema.js'
import { decodeInput, decodeParameter, isObject, type Json, requireWithinLimit } from './decode-value.js'
import { requireStorable } from './storable.js'

/** Maximum of parameters, and of variables, in one call: each costs a check. */
const MAX_NAMED = 10_000

/**
 * The named values of a field; `__proto__` and its like are data, never prototypes. Names that begin with a blank are those of
 * stacks, which chains alone fill.
 */
const decodeEach = <Decoded>(
  values: Json,
  field: string,
  decode: (value: unknown, field: string) => Decoded,
): { [name: string]: Decoded } => {
  const entries = Object.entries(values).filter(([name]) => name !== '__proto__')
  return Object.fromEntries(
    entries.map(([name, inner]) => {
      requireStorable(name, field)
      if (name.startsWith(' ')) throw fail('badRequest', `${field}: '${name}' begins with a blank`)
      return [name, decode(inner, `${field}.${name}`)]
    }),
  )
}

/**
 * Reads the JSON of a call (reference: automation.md §3). Context variables that name documents with `doc:` are
 * documents.
 *
 * @throws badRequest naming the field that is wrong, tooLarge naming one with too many entries.
 */
export const decodeRequest = (body: unknown): RunRequest => {
  if (isObject(body))
    for (const field of ['params', 'context'])
      if (isObject(body[field])) requireWithinLimit(Object.keys(body[field]), { field, limit: MAX_NAMED })
  const { input, params: sent, context } = parseInput(callRequest, body) ?? {}
  const params = decodeEach(sent ?? {}, 'params', decodeParameter)
  return {
    input: decodeInput(input, 'input'),
    params,
    variables: decodeEach(context ?? {}, 'context', decodeInput),
  }
}

/** A null parameter is absent; properties that are null are none. */
export const withoutNulls = (callable: Callable, request: RunRequest): RunRequest => {
  const declared = callable.kind === 'operation' ? callable.operation.params : {}
  const given = Object.entries(request.params).flatMap(([name, value]): [string, typeof value][] => {
    if (value !== null) return [[name, value]]
    const isProperties = Object.hasOwn(declared, name) && declared[name]?.type === 'properties'
    return isProperties ? [[name, {}]] : []
  })
  return { ...request, params: Object.fromEntries(given) }
}

const MEMBERS = Object.keys(callRequest.unwrap().unwrap().shape)

/** Members of a body that a call has none of: a misspelt `params` leaves out all parameters. */
export const unknownMembersOf = (body: unknown): string[] =>
  (isObject(body) ? Object.keys(body) : []).filter((name) => !MEMBERS.includes(name))

/** Schemas that a valid body asks for, as older clients do instead of sending a header. */
export const documentPropertiesOf = (body: unknown): string | undefined => {
  const asked = isObject(body) ? body.documentProperties : undefined
  return typeof asked === 'string' ? asked : undefined
}

/** Called by its prefix, `Chain.<id>`, a chain finds its parameters among the context variables too (reference: automation.md §1). */
export const withFlatParameters = (id: string, request: RunRequest): RunRequest => {
  if (!id.startsWith('Chain.')) return request
  const flat = Object.entries(request.params).map(([name, value]) => [name, valueOfJson(value)] as const)
  return { ...request, variables: { ...Object.fromEntries(flat), ...request.variables } }
}
