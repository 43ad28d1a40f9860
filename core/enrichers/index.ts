export { enrichersOf, enrichersPoint } from './enrichers-point.js'
