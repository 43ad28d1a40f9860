export { authenticate, challengeOf } from './authenticate.js'
export { basicScheme } from './basic.js'
export type { AuthenticationScheme } from './scheme.js'
