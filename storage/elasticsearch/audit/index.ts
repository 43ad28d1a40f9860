/** The audit beside the documents in Elasticsearch, for those who count and chart what has happened. */
export { createAuditIndex } from './audit-index.js'
export { auditIndexOf } from './name.js'
