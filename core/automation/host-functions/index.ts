export { type Asker, answerQuestion } from './host-functions.js'
