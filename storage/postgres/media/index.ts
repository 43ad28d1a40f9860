export { createMediaTasks } from './media-tasks.js'
