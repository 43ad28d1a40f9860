export { createMediaRuns } from './media-runs.js'
