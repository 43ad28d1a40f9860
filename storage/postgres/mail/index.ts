export { createMailQueue, createMailStore, MAIL_CHANNEL } from './mail-store.js'
