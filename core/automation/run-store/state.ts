import { randomUUID } from 'node:crypto'
import { MAX_PAGE_SIZE } from '../../content/documents/index.js'
import type { PropertyValue } from '../../model/properties/index.js'
import { fail } from '../../platform/errors/index.js'
import { createCharacterBudget } from '../../platform/limits/index.js'
import {
  CHAIN_PARAMETERS,
  CHUNK_SIZE,
  type ChainDefinition,
  chainParameters,
  parametersValue,
  type TransientStore,
  type Value,
  type Variables,
  withoutRecord,
} from '../language/index.js'

/** A run between two segments: its current input and its variables. */
export type RunState = { input: Value; variables: Variables }

/** A state as it travels through Temporal: itself, or the key under which it waits in the transient store. */
export type PackedState = ({ state: RunState } | { key: string }) & {
  /** An error chain has made it: the chain whose segment failed ends with it. */
  isCaught?: boolean
  /** What made it says that the run is over. */
  isEnded?: boolean
}

/** What travels inline through Temporal at most; beyond it a key travels (the claim check). */
const MAX_INLINE_BYTES = 128 * 1024

/** A list that is not read by the next step should not make a history larger than it is. */
const MAX_INLINE_IDS = CHUNK_SIZE

const packValue = async (store: TransientStore, value: Value): Promise<Value> => {
  if (value.type !== 'documents') return withoutRecord(value)
  const page = value.page && { page: { ...value.page, entries: [] } }
  const { ids, mustExist, source, isOfOthers } = value
  const isPage = source !== undefined && value.page !== undefined && ids.length <= MAX_PAGE_SIZE
  if (ids.length <= MAX_INLINE_IDS || isPage)
    return {
      type: 'documents',
      ids,
      ...page,
      ...(mustExist && { mustExist }),
      ...(source && { source }),
      ...(isOfOthers && { isOfOthers }),
    }
  const key = randomUUID()
  await store.putList(key, value.ids)
  return { type: 'documentList', key, count: value.ids.length }
}

/**
 * Makes a state fit to travel: documents by id, long lists and large states by key. Everything kept is
 * written in the caller's transaction.
 *
 * @throws tooLarge for more characters than a list of documents may have: what variables share is written for each.
 */
export const packState = async (
  store: TransientStore,
  { input, variables }: RunState,
): Promise<PackedState> => {
  const packed: RunState = { input: await packValue(store, input), variables: {} }
  const spend = createCharacterBudget(
    (most) => `Input and variables of a run have more than ${most} characters`,
  )
  spend(packed.input)
  for (const [name, value] of Object.entries(variables)) {
    const own = await packValue(store, value)
    spend(own)
    packed.variables[name] = own
  }
  const bytes = Buffer.byteLength(JSON.stringify(packed))
  if (bytes <= MAX_INLINE_BYTES) return { state: packed }
  const key = randomUUID()
  await store.put(key, packed as unknown as PropertyValue)
  return { key }
}

/** @throws notFound when the state has expired. */
export const unpackState = async (store: TransientStore, packed: PackedState): Promise<RunState> => {
  if ('state' in packed) return packed.state
  const state = await store.get(packed.key)
  if (!state) throw fail('notFound', `The state ${packed.key} of this run has expired`)
  return state as unknown as RunState
}

export const enteredState = (
  { input, variables }: RunState,
  chain: ChainDefinition | undefined,
  given: { [name: string]: PropertyValue },
): RunState => {
  const parameters = { ...chainParameters(variables), ...given }
  const value = parametersValue(chain ?? { params: [] }, parameters)
  return { input, variables: { ...variables, [CHAIN_PARAMETERS]: value } }
}
