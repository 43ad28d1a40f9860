export { createFreeNames } from './free-names.js'
export { nameParts, shortName } from './short-name.js'
