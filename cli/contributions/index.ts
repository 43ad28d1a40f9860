export { diffVersions } from './diff-versions.js'
export { listVersions } from './list-versions.js'
export { removeContributions } from './remove.js'
export { rollback } from './rollback.js'
