export { createProgress, type Progress } from './progress.js'
export { renderLine, type State, seconds } from './render.js'
