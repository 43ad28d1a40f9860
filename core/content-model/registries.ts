import { defineRegistry } from '../contributions/index.js'
import { buildContentModel } from './build-content-model.js'
import { buildPermissionModel } from './permissions.js'

/** The content model of a snapshot. */
export const modelRegistry = defineRegistry({ name: 'content model', build: buildContentModel })

/** The permission hierarchy of a snapshot. */
export const permissionsRegistry = defineRegistry({ name: 'permissions', build: buildPermissionModel })
