export type { EvaluatedDocument } from './document.js'
export { type Evaluation, evaluate } from './evaluate.js'
export type { Json } from './values.js'
