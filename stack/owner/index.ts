export { chooseOwner } from './owner.js'
export { reachableData, reachablePrograms } from './place.js'
