/** Scripts of a deployment that decide who may download which file. */
export { downloadPermissionsPoint } from './download-permissions-point.js'
export { type Download, type DownloadJudge, requireDownload } from './require-download.js'
