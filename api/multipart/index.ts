export { isMultipart, type MultipartBody, readMultipart } from './read-multipart.js'
