export { createPayloads, type PayloadPlace } from './create-payloads.js'
export { lenient, missingKeyFailure, orLeniently, unreadableAmong } from './missing-key.js'
export { readPayload } from './read-payload.js'
export { createRemoteCodec, type RemoteCodec } from './remote-codec.js'
