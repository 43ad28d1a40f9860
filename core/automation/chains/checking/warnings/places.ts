import type { Place } from '../../../../platform/contributions/index.js'
import type { ValuePlaces } from '../../types.js'

/** Where a character of a value's text stands, if its text is written as it is read; else where its value does. */
export const placeIn = (places: ValuePlaces | undefined, offset: number): Place | undefined =>
  places?.text ? { ...places.text, column: places.text.column + offset } : places?.value
