export {
  driftOf,
  type IndexingStatus,
  indexingStatus,
  reindex,
  requestRebuild,
  retryFailures,
} from './administer.js'
export { beginIndex, catchUp, dropIndex, type FillPosition, fillIndex, promoteIndex } from './build.js'
export { compareIndex, type Drift } from './drift.js'
export { ELASTICSEARCH_ENABLED } from './enabled.js'
export { entryDigest } from './entry-digest.js'
export { createFollower, type Follower } from './follow.js'
export { bringSubtree, SUBTREE_START, type SubtreePosition } from './subtree.js'
