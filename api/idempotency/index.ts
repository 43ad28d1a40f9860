export {
  callKey,
  checkIdempotencyKey,
  IDEMPOTENCY_KEY,
  idempotencyHeader,
  requestKey,
} from './key.js'
export { refuseUnhonoured } from './refuse.js'
