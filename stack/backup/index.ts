export { backUp } from './backup.js'
export { restore } from './restore.js'
