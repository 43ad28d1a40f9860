/** Life cycles: the states of documents, and the transitions between them (workflow-audit.md §4). */
export { allowedTransitions, followTransition } from './follow.js'
