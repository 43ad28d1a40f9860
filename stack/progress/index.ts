export { createProgress, type Progress } from './progress.js'
export { type State, seconds } from './render.js'
