export { createFolderImports } from './folder-imports.js'
