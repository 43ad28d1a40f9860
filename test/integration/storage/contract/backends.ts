import type { OpenContent } from '../../../../storage/contract/content/index.js'
import { openContent as openPostgresContent } from './postgres.js'

/** Every backend that keeps documents: another one is one line here. */
export const CONTENT_BACKENDS: { readonly [name: string]: OpenContent } = {
  postgres: openPostgresContent,
}
