import { adaptersPoint } from '../../core/business-objects/index.js'
import { chainsPoint } from '../../core/chains/index.js'
import { contentModelPoints } from '../../core/content-model/index.js'
import { type Contributions, type ExtensionPoint, loadContributions } from '../../core/contributions/index.js'
import { convertersPoint } from '../../core/conversions/index.js'
import { directoriesPoint } from '../../core/directories/index.js'
import { userManagerPoint } from '../../core/identity/index.js'
import { notificationsPoint } from '../../core/notifications/index.js'
import { userWorkspacesPoint } from '../../core/user-workspaces/index.js'
import { DEFAULT_CONFIGURATION } from '../default-configuration.js'

/** Every extension point that a configuration file may contribute to. */
const extensionPoints: readonly ExtensionPoint[] = [
  ...contentModelPoints,
  convertersPoint,
  adaptersPoint,
  chainsPoint,
  directoriesPoint,
  userManagerPoint,
  userWorkspacesPoint,
  notificationsPoint,
]

/**
 * The configuration of this deployment: the product's defaults, then the deployment's own folder.
 *
 * @throws invalid listing every problem with file, line and field.
 */
export const loadConfiguration = (folder: string | undefined): Promise<Contributions> =>
  loadContributions({
    folders: folder ? [DEFAULT_CONFIGURATION, folder] : [DEFAULT_CONFIGURATION],
    extensionPoints,
  })
