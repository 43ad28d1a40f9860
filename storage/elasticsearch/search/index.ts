export { elasticsearch } from './open.js'
