export { AUDIT_CURSOR, createAuditStore } from './audit-store.js'
