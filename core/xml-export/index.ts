export { documentXml } from './document-xml.js'
