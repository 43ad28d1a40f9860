export { type Html, type Page, respondWithPage, type Site } from './layout.js'
