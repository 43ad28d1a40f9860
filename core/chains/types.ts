import type { ChainDefinition } from '../automation/index.js'
import type { Place } from './tree.js'

/** Where the names and values of a step stand, so that later findings point at them. */
export type StepPlaces = { at: Place; params: ReadonlyMap<string, { name: Place; value: Place }> }

/** Where the parts of a chain stand in the text it came from. */
export type ChainPlaces = {
  id?: Place
  aliases: readonly Place[]
  steps: readonly StepPlaces[]
  onError: readonly Place[]
}

export type ParsedChain = {
  chain: ChainDefinition
  places: ChainPlaces
  /** False when the text asks not to replace a chain that exists (XML `replace="false"`). */
  mayReplace: boolean
}
