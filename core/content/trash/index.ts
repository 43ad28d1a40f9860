/** The trash: documents hidden from their readers until they are restored or the trash is emptied. */
export { countTrash, emptyTrash } from './empty.js'
export { trashDocument } from './trash.js'
export { untrashDocument } from './untrash.js'
