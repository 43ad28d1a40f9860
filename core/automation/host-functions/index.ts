export { callHostFunction, type HostCaller } from './host-functions.js'
