export { withinSpace } from './space.js'
export {
  type TransientStoreConfig,
  transientStoreConfig,
  transientStoreNames,
  transientStoresPoint,
} from './stores-point.js'
export {
  isStored,
  sharedLength,
  storageLength,
  type TransientBlob,
  type TransientFileStore,
  type TransientSummary,
  type TransientWrite,
} from './types.js'
