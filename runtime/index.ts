export { type AutomationRuntime, createAutomationRuntime } from './automation.js'
export { createBlobCollection } from './blob-collection.js'
export { createMailDelivery } from './mail.js'
export { createPlatform, type Platform } from './platform.js'
