/** Publishing: versions shown in sections by proxies, and live documents shown elsewhere. */
export { createLiveProxy } from './live-proxy.js'
export { publishDocument } from './publish.js'
export { getSourceDocument } from './source.js'
export { removeProxies, unpublishAll } from './unpublish.js'
