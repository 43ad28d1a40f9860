export { archiveOf } from './archive.js'
export { readableXml } from './readable-xml.js'
export { storeArchive } from './stored-archive.js'
