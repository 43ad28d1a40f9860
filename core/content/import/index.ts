export { type ImportResult, importArchive, isDocumentArchive } from './import-archive.js'
export { transformersOf } from './transformers.js'
export { localName, readXml, type XmlNode } from './xml-node.js'
