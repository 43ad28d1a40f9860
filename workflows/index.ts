export { chain } from './chain.js'
