import { fileURLToPath } from 'node:url'

/** The product's own contributions: beside this folder, and beside `dist/` when bundled. */
export const DEFAULT_CONFIGURATION = fileURLToPath(new URL('../config', import.meta.url))
