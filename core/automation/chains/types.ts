import type { Place } from '../../platform/contributions/index.js'
import type { ChainDefinition } from '../language/index.js'

/** Where a value stands, and where the text in it begins, if it is written as it is read. */
export type ValuePlaces = { value: Place; text?: Place }

/** Where a parameter stands: its name, its value, and, when that is a map, each key and what is under it. */
export type ParamPlaces = ValuePlaces & {
  name: Place
  entries?: ReadonlyMap<string, ValuePlaces & { name: Place }>
}

/** Where the names and values of a step stand, so that later findings point at them. */
export type StepPlaces = {
  at: Place
  params: ReadonlyMap<string, ParamPlaces>
  /** Its parameters could not be read: which it has is not known. */
  isMisread?: boolean
}

/** Where the parts of a chain stand in the text it came from. */
export type ChainPlaces = {
  id?: Place
  aliases: readonly Place[]
  steps: readonly StepPlaces[]
  onError: readonly Place[]
  /** Of the error chains. */
  filters?: readonly Place[]
  /** Declared parameters of which more is to be said. */
  params?: ReadonlyMap<string, Place>
}

export type ParsedChain = {
  chain: ChainDefinition
  places: ChainPlaces
  /** False when the text asks not to replace a chain that exists (XML `replace="false"`). */
  mayReplace: boolean
}
