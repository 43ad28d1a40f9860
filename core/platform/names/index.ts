export { createFreeNames } from './free-names.js'
export { normalForm } from './normal-form.js'
export { nameParts, shortName } from './short-name.js'
