export { authenticate, challengeOf } from './authenticate.js'
export { authenticationSchemes } from './schemes.js'
