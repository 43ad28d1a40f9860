export { importScanned, type Scan } from './import-scanned.js'
export { importerConfigPoint, importerMappingPoint, scanOf } from './scan-points.js'
export { settleDescriptor } from './settle-descriptor.js'
