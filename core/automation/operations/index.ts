import type { Operation } from '../execution/index.js'
import { actionOperations } from './actions.js'
import { blobArchiveOperations } from './blob-archives.js'
import { blobHolderOperations } from './blob-holder.js'
import { blobTransferOperations } from './blob-transfer.js'
import { blobOperations } from './blobs.js'
import { bulkOperations } from './bulk.js'
import { businessOperations } from './business.js'
import { childrenOperations } from './children.js'
import { collectionOperations } from './collections.js'
import { pdfOperations } from './concatenate-pdfs.js'
import { contextRestoreOperations } from './context-restore.js'
import { contextVariableOperations } from './context-variables.js'
import { conversionOperations } from './conversion.js'
import { counterOperations } from './counters.js'
import { directoryOperations } from './directories.js'
import { directorySuggestionOperations } from './directory-suggestion.js'
import { directoryWriteOperations } from './directory-writes.js'
import { documentCreateOperations } from './document-create.js'
import { documentExportOperations } from './document-export.js'
import { documentFilterOperations } from './document-filter.js'
import { documentLockOperations } from './document-lock.js'
import { documentPlaceOperations } from './document-place.js'
import { documentPropertyOperations } from './document-properties.js'
import { downloadFileOperations } from './download-file.js'
import { errorStackOperations } from './error-stacks.js'
import { eventOperations } from './events.js'
import { facetOperations } from './facets.js'
import { favoriteOperations } from './favorites.js'
import { fetchOperations } from './fetch.js'
import { fileManagerOperations } from './file-manager.js'
import { flowOperations } from './flow.js'
import { flowListOperations } from './flow-list.js'
import { flowProviderOperations } from './flow-provider.js'
import { identityWriteOperations } from './identity-writes.js'
import { indexingOperations } from './indexing.js'
import { lifecycleOperations } from './lifecycle.js'
import { logOperations } from './log.js'
import { loginOperations } from './login.js'
import { mailOperations } from './mail.js'
import { multivaluedOperations } from './multivalued.js'
import { notificationOperations } from './notifications.js'
import { pageProviderOperations } from './page-provider.js'
import { permissionHolderOperations } from './permission-holders.js'
import { permissionOperations } from './permissions.js'
import { publishingOperations } from './publishing.js'
import { queryOperations } from './query.js'
import { renderingOperations } from './rendering.js'
import { renditionSuggestionOperations } from './rendition-suggestion.js'
import { repositoryOperations } from './repositories.js'
import { scriptOperations } from './scripts.js'
import { sessionOperations } from './session.js'
import { stackOperations } from './stacks.js'
import { tagOperations } from './tags.js'
import { traceOperations } from './traces.js'
import { trashOperations } from './trash.js'
import { userGroupSuggestionOperations } from './user-group-suggestion.js'
import { userWorkspaceOperations } from './user-workspace.js'
import { userOperations } from './users.js'
import { versionOperations } from './versions.js'

/** Every operation of the product. A new one is a file and a line here. */
export const operations: readonly Operation[] = [
  ...fetchOperations,
  ...queryOperations,
  ...pageProviderOperations,
  ...documentCreateOperations,
  ...documentPropertyOperations,
  ...multivaluedOperations,
  ...documentFilterOperations,
  ...documentExportOperations,
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
  ...businessOperations,
  ...conversionOperations,
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
]
