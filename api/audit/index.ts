export { auditAdapter, auditAdapterDocs } from './adapter.js'
export { auditDocs, createAuditRoutes } from './routes.js'
