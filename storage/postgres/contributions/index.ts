export { createContributionStore } from './contribution-store.js'
export { createModelUsage, type ModelUsage } from './usage.js'
