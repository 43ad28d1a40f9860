import type { Place } from '../../../platform/contributions/index.js'
import type { ChainStep } from '../../language/index.js'
import type { ParamPlaces, StepPlaces, ValuePlaces } from '../types.js'
import type { Entry, Tree } from './tree.js'

/** A step, and where its parts stand. */
export type PlacedStep = { step: ChainStep; places: StepPlaces }

const valuePlaces = (value: Tree): ValuePlaces => ({
  value: value.at,
  ...(value.kind === 'scalar' && value.textAt && { text: value.textAt }),
})

export const placesOf = ({ keyAt, value }: Entry): ParamPlaces => ({
  name: keyAt,
  ...valuePlaces(value),
  ...(value.kind === 'map' && {
    entries: new Map(
      value.entries.map((inner) => [inner.key, { name: inner.keyAt, ...valuePlaces(inner.value) }]),
    ),
  }),
})

type PlacedParam = { name: string; value: ChainStep['params'][string]; places: ParamPlaces }

/** A step and its places, from any notation. */
export const placedStep = ({
  operation,
  at,
  field,
  params,
}: {
  operation: string
  at: Place
  field: string
  params: readonly PlacedParam[]
}): PlacedStep => ({
  step: {
    operation,
    params: Object.fromEntries(params.map(({ name, value }) => [name, value])),
    at: { ...at, field },
  },
  places: { at, params: new Map(params.map(({ name, places }) => [name, places])) },
})
