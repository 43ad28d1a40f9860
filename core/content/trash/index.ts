/** The trash: documents that are gone for their readers until somebody takes them back or empties it. */
export { emptyTrash } from './empty.js'
export { trashDocument } from './trash.js'
export { untrashDocument } from './untrash.js'
