export { type AutomationRuntime, createAutomationRuntime } from './automation.js'
export { createPlatform, type HealthCheck, type Platform } from './platform.js'
