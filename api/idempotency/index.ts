export {
  callKey,
  checkIdempotencyKey,
  IDEMPOTENCY_KEY,
  idempotencyHeader,
  REPLAYED,
  replayedHeader,
  requestKey,
} from './key.js'
export { refuseUnhonoured } from './refuse.js'
