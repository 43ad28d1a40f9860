export { compileRows, type RowsPlan } from './compile-rows.js'
