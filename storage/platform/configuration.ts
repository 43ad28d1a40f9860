import { actionsPoint } from '../../core/actions/index.js'
import { operationFiltersPoint } from '../../core/automation/index.js'
import { adaptersPoint } from '../../core/business-objects/index.js'
import { chainsPoint, scriptsPoint } from '../../core/chains/index.js'
import { configuredNamesRegistry } from '../../core/configured-names/index.js'
import { contentModelPoints, modelRegistry, permissionsRegistry } from '../../core/content-model/index.js'
import {
  type ContributionFile,
  defineRegistry,
  type ExtensionPoint,
  type RegistryDefinition,
  readConfiguration,
} from '../../core/contributions/index.js'
import { convertersPoint } from '../../core/conversions/index.js'
import { directoriesPoint } from '../../core/directories/index.js'
import { policyQueriesRegistry } from '../../core/documents/index.js'
import { downloadPermissionsPoint } from '../../core/download-permissions/index.js'
import { enrichersPoint } from '../../core/enrichers/index.js'
import { eventHandlersPoint, eventHandlersRegistry } from '../../core/event-handlers/index.js'
import { fileImportersPoint } from '../../core/file-manager/index.js'
import { userManagerPoint } from '../../core/identity/index.js'
import { notificationsPoint } from '../../core/notifications/index.js'
import { pageProvidersPoint } from '../../core/page-providers/index.js'
import { schedulesPoint, schedulesRegistry } from '../../core/schedules/index.js'
import { templatesPoint } from '../../core/templates/index.js'
import { userWorkspacesPoint } from '../../core/user-workspaces/index.js'
import { versioningPoints, versioningRegistry } from '../../core/versioning-policies/index.js'
import { DEFAULT_CONFIGURATION } from '../default-configuration.js'
import { mainDataRules } from './main-data.js'

/** Every extension point: what a configuration file, or a deployment at run time, may contribute to. */
export const configuredPoints: readonly ExtensionPoint[] = [
  ...contentModelPoints,
  convertersPoint,
  adaptersPoint,
  enrichersPoint,
  chainsPoint,
  scriptsPoint,
  operationFiltersPoint,
  eventHandlersPoint,
  schedulesPoint,
  pageProvidersPoint,
  directoriesPoint,
  downloadPermissionsPoint,
  userManagerPoint,
  userWorkspacesPoint,
  notificationsPoint,
  fileImportersPoint,
  templatesPoint,
  actionsPoint,
  ...versioningPoints,
]

/** Users and directories; a contribution that they do not take is refused when it is deployed. */
const mainDataRegistry = defineRegistry({
  name: 'users and directories',
  build: (contributions, snapshot) => mainDataRules({ contributions, model: snapshot.get(modelRegistry) }),
})

/** What rooms derive from contributions, each after those that it looks at. */
export const registries: readonly RegistryDefinition<unknown>[] = [
  modelRegistry,
  permissionsRegistry,
  policyQueriesRegistry,
  mainDataRegistry,
  versioningRegistry,
  eventHandlersRegistry,
  schedulesRegistry,
  configuredNamesRegistry,
]

/** The files of this deployment's configuration: the product's defaults, then the deployment's own folder. */
export const readConfigurationOf = (folder: string | undefined): Promise<ContributionFile[]> =>
  readConfiguration(folder ? [DEFAULT_CONFIGURATION, folder] : [DEFAULT_CONFIGURATION])
