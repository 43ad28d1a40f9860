export { type ConcurrencyLimits, createConcurrencyLimits } from './concurrency-limits.js'
export { createFairSemaphore, type FairSemaphore } from './fair-semaphore.js'
export { createRateLimit, type RateLimit } from './rate-limit.js'
export { shortened } from './shortened.js'
