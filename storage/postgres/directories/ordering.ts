import type { Properties } from '../../../core/model/properties/index.js'

/** Where entries stand in their directory's own order: what their property `ordering` says. */
export const orderingOf = ({ ordering }: Properties): number =>
  typeof ordering === 'number' && Number.isSafeInteger(ordering) ? ordering : 0
