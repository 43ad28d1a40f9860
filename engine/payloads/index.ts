export { createPayloads, encryptionOf, type PayloadPlace } from './create-payloads.js'
export { readPayload } from './read-payload.js'
