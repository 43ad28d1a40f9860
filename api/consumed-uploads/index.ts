export { consumeUpload, dropConsumed, dropLater } from './consumed-uploads.js'
