export { createLocalTransientStore } from './local-store.js'
