export { referencePage } from './page.js'
