export { unlockUser } from './unlock-user.js'
