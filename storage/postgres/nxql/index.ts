export { compileAggregate } from './aggregate.js'
export { checkNxql, compileNxql, type NxqlPlan, type NxqlScope } from './compile.js'
export type { Statement } from './page.js'
export { RECORD_COLUMNS } from './record-columns.js'
export { compileRecords, type RecordPlan } from './records.js'
export {
  ACL_IN_FORCE,
  type GatheredScopes,
  type Reach,
  readableOneByOne,
  readableText,
} from './security.js'
export { selectivityOf } from './selectivity.js'
