export { anyOf } from './any-of.js'
export { readByKeys, readPage, readRows, readWeighed } from './bounded.js'
export { foundOf, paged, TOTAL } from './found.js'
export { heldParent } from './held-parent.js'
export { likePattern } from './like-pattern.js'
export { markOf } from './mark.js'
export { columnsOf, type Name, named, tableOf } from './names.js'
export { INTO_OUTBOX } from './outbox.js'
export {
  ACL_IN_FORCE,
  namingPath,
  readableOneByOne,
  readableText,
  readText,
  unreadScopesText,
} from './read-rights.js'
export {
  BRIEF_COLUMNS,
  RECORD_COLUMNS,
  RECORD_FIELDS,
  RECORD_TYPES,
  type RecordField,
} from './record-columns.js'
export type { Writer } from './writer.js'
