import type { IndexShape } from '../../../core/search/index-shape/index.js'

/** Grows when entries are made otherwise than before: an index of an earlier format is built again. */
const FORMAT = 2

/** What an index says of how it was made. Not as an object: of a text the order of names is kept. */
export const metaOf = (shape: IndexShape): { format: number; shape: string } => ({
  format: FORMAT,
  shape: JSON.stringify(shape),
})

/** What contributions have added to an index when it was made; undefined for one of another format. */
export const shapeIn = (meta: { readonly [name: string]: unknown } | undefined): IndexShape | undefined =>
  meta?.format === FORMAT && typeof meta.shape === 'string' ? JSON.parse(meta.shape) : undefined
