export { createShares, type Shares } from './shares.js'
export { createSharedPlaces, type SharedPlaces } from './waiting.js'
