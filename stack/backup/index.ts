export { backUp, checkTarget } from './backup.js'
export { restore } from './restore.js'
