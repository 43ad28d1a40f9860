export { exampleOf } from './example.js'
export { type DocDependencies, docPage } from './page.js'
