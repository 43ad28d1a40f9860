import { defineRegistry } from '../../platform/contributions/index.js'
import { buildContentModel } from './build-content-model.js'

/** The content model of a snapshot. */
export const modelRegistry = defineRegistry({ name: 'content model', build: buildContentModel })
