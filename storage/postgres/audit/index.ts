export { createAuditStore } from './audit-store.js'
