import { ALLOW_NULL_ORIGIN, corsPoint, corsRegistry } from '../../core/access/cross-origin/index.js'
import { userManagerPoint } from '../../core/access/identity/index.js'
import { permissionsRegistry, securityPoints } from '../../core/access/security/index.js'
import {
  businessDaysRegistry,
  durationsPoint,
  holidayCalendarsPoint,
} from '../../core/automation/business-days/index.js'
import { chainsPoint, scriptsPoint } from '../../core/automation/chains/index.js'
import {
  eventHandlersPoint,
  listenersPoint,
  subscriptionsRegistry,
} from '../../core/automation/events/index.js'
import { operationFiltersPoint, secretParametersPoint } from '../../core/automation/language/index.js'
import { knownNamesRegistry } from '../../core/automation/lint/index.js'
import { routesPoint } from '../../core/automation/routing/model/index.js'
import { schedulesPoint, schedulesRegistry } from '../../core/automation/schedules/index.js'
import { templatesPoint } from '../../core/automation/templates/index.js'
import { webhooksPoint, webhooksRegistry } from '../../core/automation/webhooks/index.js'
import { adaptersPoint } from '../../core/content/business-objects/index.js'
import { directoriesPoint } from '../../core/content/directories/index.js'
import { ALLOW_VIRTUAL_USER, createPolicyQueriesRegistry } from '../../core/content/documents/index.js'
import { downloadPermissionsPoint } from '../../core/content/download-permissions/index.js'
import { actionsPoint, enrichersPoint } from '../../core/content/enrichers/index.js'
import { fileImportersPoint } from '../../core/content/file-manager/index.js'
import { filtersPoint } from '../../core/content/filters/index.js'
import {
  automaticVideoConversionsPoint,
  mediaListenersPoint,
  pictureConversionsPoint,
  videoConversionsPoint,
  videoPreviewsPoint,
} from '../../core/content/media/index.js'
import { notificationsPoint } from '../../core/content/notifications/index.js'
import { renditionDefinitionsPoint } from '../../core/content/renditions/index.js'
import { importerConfigPoint, importerMappingPoint } from '../../core/content/scan-import/index.js'
import { userWorkspacesPoint } from '../../core/content/user-workspaces/index.js'
import { versioningPoints, versioningRegistry } from '../../core/content/versioning/policies/index.js'
import { blobDispatcherPoint } from '../../core/files/blobs/index.js'
import {
  commandsPoint,
  converterCommandsRegistry,
  convertersPoint,
} from '../../core/files/conversions/index.js'
import { transientStoresPoint } from '../../core/files/transient/index.js'
import { uploadHandlersPoint } from '../../core/files/uploads/index.js'
import { contentModelPoints, modelRegistry } from '../../core/model/content-model/index.js'
import { type ConfigurationProperty, configurationPoint } from '../../core/platform/configuration/index.js'
import {
  type ContributionFile,
  defineRegistry,
  type ExtensionPoint,
  type RegistryDefinition,
  readConfiguration,
} from '../../core/platform/contributions/index.js'
import { responseHeadersPoint, responseHeadersRegistry } from '../../core/platform/response-headers/index.js'
import { AUDIT_INDEXED, auditPoint } from '../../core/search/audit/index.js'
import { indexShapeRegistry, searchIndexPoint } from '../../core/search/index-shape/index.js'
import { ELASTICSEARCH_ENABLED } from '../../core/search/indexing/index.js'
import {
  INDEXED_PROVIDERS,
  pageProvidersPoint,
  TRACKED_PROVIDERS,
} from '../../core/search/page-providers/index.js'
import { requestFiltersPoint } from '../../core/search/passthrough/index.js'
import { backends } from '../backends.js'
import { DEFAULT_CONFIGURATION } from '../default-configuration.js'
import { mainDataRules } from '../main-data.js'

/** Every property that the product asks for: what the extension point `configuration` may change. */
export const configurationProperties: readonly ConfigurationProperty[] = [
  ALLOW_VIRTUAL_USER,
  ALLOW_NULL_ORIGIN,
  TRACKED_PROVIDERS,
  ELASTICSEARCH_ENABLED,
  INDEXED_PROVIDERS,
  AUDIT_INDEXED,
]

/** Every extension point: what a configuration file, or a deployment at run time, may contribute to. */
export const configuredPoints: readonly ExtensionPoint[] = [
  ...contentModelPoints,
  ...securityPoints,
  configurationPoint,
  responseHeadersPoint,
  convertersPoint,
  commandsPoint,
  mediaListenersPoint,
  pictureConversionsPoint,
  videoConversionsPoint,
  videoPreviewsPoint,
  automaticVideoConversionsPoint,
  renditionDefinitionsPoint,
  filtersPoint,
  adaptersPoint,
  enrichersPoint,
  chainsPoint,
  scriptsPoint,
  operationFiltersPoint,
  secretParametersPoint,
  eventHandlersPoint,
  listenersPoint,
  schedulesPoint,
  webhooksPoint,
  durationsPoint,
  holidayCalendarsPoint,
  routesPoint,
  pageProvidersPoint,
  auditPoint,
  requestFiltersPoint,
  searchIndexPoint,
  directoriesPoint,
  downloadPermissionsPoint,
  userManagerPoint,
  corsPoint,
  userWorkspacesPoint,
  notificationsPoint,
  fileImportersPoint,
  importerConfigPoint,
  importerMappingPoint,
  templatesPoint,
  actionsPoint,
  transientStoresPoint,
  uploadHandlersPoint,
  blobDispatcherPoint,
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
  indexShapeRegistry,
  permissionsRegistry,
  corsRegistry,
  createPolicyQueriesRegistry([backends.content.checkQuery, backends.search.check]),
  mainDataRegistry,
  versioningRegistry,
  responseHeadersRegistry,
  subscriptionsRegistry,
  schedulesRegistry,
  businessDaysRegistry,
  webhooksRegistry,
  knownNamesRegistry,
  converterCommandsRegistry,
]

/** The files of this deployment's configuration: the product's defaults, then the deployment's own folder. */
export const readConfigurationOf = async (folder: string | undefined): Promise<ContributionFile[]> => {
  own ??= readConfiguration([DEFAULT_CONFIGURATION])
  return [...(await own), ...(folder ? await readConfiguration([folder]) : [])]
}

/** The product's own files, which a process reads and parses once, however many platforms it builds. */
let own: Promise<ContributionFile[]> | undefined
