import type { Operation } from '../language/index.js'
import { blobArchiveOperations } from './blobs/archives.js'
import { blobOperations } from './blobs/blobs.js'
import { pdfOperations } from './blobs/concatenate-pdfs.js'
import { conversionOperations } from './blobs/conversion.js'
import { downloadFileOperations } from './blobs/download-file.js'
import { fileManagerOperations } from './blobs/file-manager.js'
import { blobHolderOperations } from './blobs/holder.js'
import { renditionSuggestionOperations } from './blobs/rendition-suggestion.js'
import { blobTransferOperations } from './blobs/transfer.js'
import { collectionOperations } from './collaboration/collections.js'
import { favoriteOperations } from './collaboration/favorites.js'
import { mailOperations } from './collaboration/mail.js'
import { notificationOperations } from './collaboration/notifications.js'
import { tagOperations } from './collaboration/tags.js'
import { userWorkspaceOperations } from './collaboration/user-workspace.js'
import { errorStackOperations } from './context/error-stacks.js'
import { contextRestoreOperations } from './context/restore.js'
import { stackOperations } from './context/stacks.js'
import { traceOperations } from './context/traces.js'
import { contextVariableOperations } from './context/variables.js'
import { directoryOperations } from './directories/directories.js'
import { directorySuggestionOperations } from './directories/suggestion.js'
import { directoryWriteOperations } from './directories/writes.js'
import { childrenOperations } from './documents/children.js'
import { documentCreateOperations } from './documents/create.js'
import { documentExportOperations } from './documents/export.js'
import { facetOperations } from './documents/facets.js'
import { fetchOperations } from './documents/fetch.js'
import { documentFilterOperations } from './documents/filter.js'
import { documentImportOperations } from './documents/import.js'
import { lifecycleOperations } from './documents/lifecycle.js'
import { documentLockOperations } from './documents/lock.js'
import { multivaluedOperations } from './documents/multivalued.js'
import { documentPlaceOperations } from './documents/place.js'
import { documentPropertyOperations } from './documents/properties.js'
import { publishingOperations } from './documents/publishing.js'
import { trashOperations } from './documents/trash.js'
import { versionOperations } from './documents/versions.js'
import { flowOperations } from './flow/flow.js'
import { flowListOperations } from './flow/list.js'
import { flowProviderOperations } from './flow/provider.js'
import { scriptOperations } from './flow/scripts.js'
import { sessionOperations } from './flow/session.js'
import { filmOperations } from './media/films.js'
import { imageOperations } from './media/image-operations.js'
import { metadataOperations } from './media/metadata.js'
import { pictureDifferenceOperations } from './media/picture-difference.js'
import { pictureOperations } from './media/pictures.js'
import { pictureViewOperations } from './media/recompute-views.js'
import { permissionHolderOperations } from './permissions/permission-holders.js'
import { permissionOperations } from './permissions/permissions.js'
import { bulkOperations } from './queries/bulk.js'
import { pageProviderOperations } from './queries/page-provider.js'
import { queryOperations } from './queries/query.js'
import { suggesterOperations } from './queries/suggesters.js'
import { actionOperations } from './services/actions.js'
import { auditOperations } from './services/audit.js'
import { businessOperations } from './services/business.js'
import { counterOperations } from './services/counters.js'
import { eventOperations } from './services/events.js'
import { indexingOperations } from './services/indexing.js'
import { logOperations } from './services/log.js'
import { renderingOperations } from './services/rendering.js'
import { repositoryOperations } from './services/repositories.js'
import { identityWriteOperations } from './users/identity-writes.js'
import { loginOperations } from './users/login.js'
import { userGroupSuggestionOperations } from './users/user-group-suggestion.js'
import { userOperations } from './users/users.js'
import { workflowOperations } from './workflow/routes.js'
import { taskNameOperations } from './workflow/task-names.js'
import { taskOperations } from './workflow/tasks.js'

/** Every operation of the product. A new one is a file and a line here. */
export const operations: readonly Operation[] = [
  ...fetchOperations,
  ...queryOperations,
  ...pageProviderOperations,
  ...suggesterOperations,
  ...documentCreateOperations,
  ...documentPropertyOperations,
  ...multivaluedOperations,
  ...documentFilterOperations,
  ...documentExportOperations,
  ...documentImportOperations,
  ...documentPlaceOperations,
  ...documentLockOperations,
  ...lifecycleOperations,
  ...versionOperations,
  ...trashOperations,
  ...publishingOperations,
  ...facetOperations,
  ...eventOperations,
  ...childrenOperations,
  ...permissionOperations,
  ...blobOperations,
  ...blobHolderOperations,
  ...blobArchiveOperations,
  ...blobTransferOperations,
  ...pdfOperations,
  ...auditOperations,
  ...businessOperations,
  ...conversionOperations,
  ...pictureDifferenceOperations,
  ...pictureOperations,
  ...imageOperations,
  ...pictureViewOperations,
  ...filmOperations,
  ...metadataOperations,
  ...renderingOperations,
  ...contextVariableOperations,
  ...contextRestoreOperations,
  ...sessionOperations,
  ...stackOperations,
  ...errorStackOperations,
  ...traceOperations,
  ...flowOperations,
  ...flowListOperations,
  ...flowProviderOperations,
  ...downloadFileOperations,
  ...logOperations,
  ...tagOperations,
  ...notificationOperations,
  ...mailOperations,
  ...userWorkspaceOperations,
  ...collectionOperations,
  ...favoriteOperations,
  ...directoryOperations,
  ...directorySuggestionOperations,
  ...directoryWriteOperations,
  ...identityWriteOperations,
  ...permissionHolderOperations,
  ...userGroupSuggestionOperations,
  ...userOperations,
  ...loginOperations,
  ...scriptOperations,
  ...fileManagerOperations,
  ...repositoryOperations,
  ...actionOperations,
  ...counterOperations,
  ...renditionSuggestionOperations,
  ...bulkOperations,
  ...indexingOperations,
  ...workflowOperations,
  ...taskOperations,
  ...taskNameOperations,
]
