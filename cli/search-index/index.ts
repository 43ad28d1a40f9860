export {
  compareWithIndex,
  type IndexOptions,
  rebuildIndex,
  showIndexes,
  showIndexFailures,
} from './manage-index.js'
