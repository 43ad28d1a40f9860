export {
  callKey,
  checkIdempotencyKey,
  digest,
  IDEMPOTENCY_KEY,
  idempotencyHeader,
  requestKey,
} from './key.js'
export { refuseUnhonoured } from './refuse.js'
