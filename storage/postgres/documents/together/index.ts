export { createWritesTogether, type Placed, type WritesTogether } from './writes-together.js'
