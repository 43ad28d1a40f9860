import { mergeContributions } from '../../platform/contributions/index.js'
import type { PermissionModel } from './acl.js'
import { permissionsPoint } from './index.js'
import { buildPermissionModel } from './permission-model.js'
import { securityPoliciesPoint } from './security-policies-point.js'
import { visiblePermissionsPoint } from './visible-permissions-point.js'

/** The permissions of a deployment, by its contributions as YAML. */
export const permissionsOf = (text: string): PermissionModel =>
  buildPermissionModel(
    mergeContributions(
      [{ file: 'test.yaml', text }],
      [permissionsPoint, visiblePermissionsPoint, securityPoliciesPoint],
    ),
  )

/** For the tests of this room: permissions that include others, two levels deep. */
export const testPermissions = (): PermissionModel =>
  permissionsOf(`
permissions:
  Browse: {}
  ReadProperties: {}
  ReadVersion: {}
  Read: { includes: [Browse, ReadProperties, ReadVersion] }
  WriteProperties: { aliases: [EditProperties] }
  Write: { includes: [WriteProperties] }
  ReadWrite: { includes: [Read, Write] }
  Secret: { onlyByName: true }
`)
