export { createContributionStore } from './contribution-store.js'
export { createMarkStore } from './mark-store.js'
export { createModelUsage, type ModelUsage } from './usage.js'
