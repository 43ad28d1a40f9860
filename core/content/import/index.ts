export { countArchived, type ImportResult, importArchive } from './import-archive.js'
export { transformersOf } from './transformers.js'
export { localName, readXml, type XmlNode } from './xml-node.js'
