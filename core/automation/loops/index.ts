export {
  collectElements,
  type EnteredElement,
  enterElement,
  type FailedElement,
  leaveElement,
} from './elements.js'
export { type LoopPage, runLoopPage } from './loop.js'
export type { LoopCall } from './open-loop.js'
export type { ElementCall } from './open-walk.js'
export { callOfPage, firstPageOf, isListPage, type ListPage, pageBehind, readPage } from './provider-pages.js'
export {
  enterFailed,
  type FailedElementEntered,
  leaveFailed,
  type RepairedSoFar,
  strikeElement,
} from './repair-elements.js'
export { type RepairPage, repairLoop } from './repair-loop.js'
export { runTarget } from './run-target.js'
