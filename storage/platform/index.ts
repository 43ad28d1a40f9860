export { type AutomationRuntime, createAutomationRuntime } from './automation.js'
export { createPlatform, type Platform } from './platform.js'
