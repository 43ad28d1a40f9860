export { createFreeNames } from './free-names.js'
