import { fileURLToPath } from 'node:url'

/** Folder of the product's code, whether it is bundled into `dist/` or not. */
export const CODE = fileURLToPath(new URL('..', import.meta.url))

/** The product's own contributions: beside this folder, and beside `dist/` when bundled. */
export const DEFAULT_CONFIGURATION = fileURLToPath(new URL('../config', import.meta.url))
