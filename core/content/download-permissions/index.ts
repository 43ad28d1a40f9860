/** Scripts of a deployment that decide who may download which file. */
export { downloadPermissionsPoint } from './download-permissions-point.js'
export { noteDownload } from './note-download.js'
export { permittedBlobs } from './permitted.js'
export { requireCopyable } from './require-copyable.js'
export { type Download, requireDownload } from './require-download.js'
