export { type Credentials, createCredentials } from './credentials.js'
export { type LoginOptions, login } from './login.js'
export { resolveLogin } from './resolve-login.js'
export { DEFAULT_URL } from './server-url.js'
