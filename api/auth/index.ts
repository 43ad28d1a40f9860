export { authenticate, challengeOf, isOpen } from './authenticate.js'
export { authenticationSchemes } from './schemes.js'
