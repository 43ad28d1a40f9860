import type { TransientFileStore } from '../../files/transient/index.js'
import { digestAlgorithmOf, isBlobValue } from '../../model/properties/index.js'
import type { KeptRenditions } from './rendition.js'

/** Name of the transient store of renditions (blobs-conversions.md §1). */
export const RENDITION_STORE = 'RenditionCache'

const VALUE = 'blob'

/** Keeps renditions in a transient store: the names of their bytes, which stay while the entry does. */
export const keptRenditions = (
  store: () => Pick<TransientFileStore, 'parameter' | 'putBlob' | 'putParameters'>,
): KeptRenditions => ({
  get: async (key) => {
    const value = await store().parameter(key, VALUE)
    return value !== undefined && isBlobValue(value) ? value : undefined
  },
  put: async (key, blob) => {
    const { key: place, digest, length } = blob
    const digestAlgorithm = digestAlgorithmOf(digest)
    // What names no bytes of the blob store cannot be kept from its collection.
    if (place === undefined || digestAlgorithm === null) return
    await store().putBlob(key, VALUE, { key: place, digest, digestAlgorithm, length })
    await store().putParameters(key, { [VALUE]: { ...blob } })
  },
})
