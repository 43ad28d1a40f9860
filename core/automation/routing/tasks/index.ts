export { bareActor, distinct, isAmong, kindOfActor } from './actors.js'
export { MAX_ASSIGNEES, requireFew, requireModestShares } from './bounds.js'
export {
  addTaskComment,
  closeTask,
  closeTasks,
  getTask,
  requireActing,
  requireOpen,
  setActors,
} from './change-task.js'
export { createTask, ensureClosedFolder, type NewTask } from './create-task.js'
export { type Grant, grantOnDocuments, revokeOnDocuments, taskOfAcl } from './document-rights.js'
export { countOpenLooseTasks, findOpenTasks, type TaskFilter } from './find-tasks.js'
export { notifyAssignees } from './notify-assignees.js'
export {
  type Acting,
  firstLacking,
  GRANTING,
  type PassedOn,
  passedOnBy,
  requireHeld,
  requireReadable,
  requireStillHeld,
} from './passed-on.js'
export { type Task, taskOf } from './task.js'
