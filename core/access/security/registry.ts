import { defineRegistry } from '../../platform/contributions/index.js'
import { buildPermissionModel } from './permission-model.js'

/** The permission hierarchy of a snapshot. */
export const permissionsRegistry = defineRegistry({ name: 'permissions', build: buildPermissionModel })
