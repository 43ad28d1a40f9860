export { startAudit } from './audit.js'
export { followRepositories } from './follow-repositories.js'
export { startEventRelay } from './relay.js'
