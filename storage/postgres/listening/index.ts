export { createListening, type Listening } from './listening.js'
