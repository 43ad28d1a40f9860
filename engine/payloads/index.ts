export { createPayloads, type PayloadPlace } from './create-payloads.js'
export { readPayload } from './read-payload.js'
export { createRemoteCodec, type RemoteCodec } from './remote-codec.js'
