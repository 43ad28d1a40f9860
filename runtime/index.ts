export { type AutomationRuntime, createAutomationRuntime } from './automation.js'
export { configurationProperties } from './configuration.js'
export { createMailDelivery } from './mail.js'
export { createPlatform, type Platform } from './platform.js'
