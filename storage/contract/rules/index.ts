import {
  buildPermissionModel,
  type PermissionModel,
  securityPoints,
} from '../../../core/access/security/index.js'
import type { ContentModel } from '../../../core/model/content-model/index.js'
import { sampleModel } from '../../../core/model/nxql/model.fixture.js'
import { mergeContributions } from '../../../core/platform/contributions/index.js'

/** The rules that a repository is opened with. */
export type Rules = { model: ContentModel; permissions: PermissionModel }

const PERMISSIONS = `
permissions:
  Browse: {}
  ReadProperties: {}
  Read: { includes: [Browse, ReadProperties] }
  Write: {}
  ReadWrite: { includes: [Read, Write] }
`

/** Of all contract tests: a field of every shape, and a permission that includes others. */
export const CONTRACT_RULES: Rules = {
  model: sampleModel(),
  permissions: buildPermissionModel(
    mergeContributions([{ file: 'permissions.yaml', text: PERMISSIONS }], securityPoints),
  ),
}
