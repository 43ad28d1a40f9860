export { checkIn, type Increment, parseIncrement } from './check-in.js'
export { checkOut } from './check-out.js'
export { versionLabel } from './label.js'
