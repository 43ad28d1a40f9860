export { elasticsearch } from './search/index.js'
