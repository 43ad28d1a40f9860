type Row = { test: string; as?: string } | { because: string }

const tests = (file: string, ids: string): [string, Row][] =>
  ids.split(' ').map((id) => [id, { test: `${file}.test.ts` }])

const absent = (because: string, ids: string): [string, Row][] =>
  ids.split(' ').map((id) => [id, { because }])

/**
 * The rows of reference: automation.md §11: id → the integration test that covers it, or why the product does not have it.
 */
export const CATALOGUE: ReadonlyMap<string, Row> = new Map<string, Row>([
  ...tests(
    'automation/operations/operations',
    'Repository.GetDocument Repository.Query Document.Create Document.Update Document.Save Document.SetProperty Document.Copy Document.Move Document.Delete Document.GetChild Document.GetChildren Document.GetParent Document.GetVersions Document.CreateVersion Document.CheckIn Document.CheckOut Document.Lock Document.Unlock',
  ),
  ...tests(
    'automation/operations/operations-flow',
    'Context.FetchDocument Document.AddPermission Document.RemovePermission Document.BlockPermissionInheritance Document.GetBlob Document.SetBlob Blob.AttachOnDocument Blob.Convert Blob.ToPDF Blob.RunConverter Context.SetVar Context.SetInputAsVar Context.RestoreDocumentInput Context.RestoreDocumentsInput Context.RestoreBlobInput Context.RestoreBlobsInput',
  ),
  ...tests('automation/operations/operations-queries', 'RunOperation'),
  ...tests(
    'automation/operations/operations-running',
    'RunDocumentOperation RunFileOperation RunOperationOnList',
  ),
  ...tests('automation/chains/chain-execution', 'Context.RunOperationOnListInNewTx'),
  ...tests('access/security-matrix-operations', 'Context.RunDocumentOperationInNewTx'),
  ...tests(
    'automation/operations/operations-queries',
    'Document.FetchByProperty Document.Filter Repository.SaveSession RunOperationOnProvider',
  ),
  ...tests(
    'automation/operations/operations-values',
    'Document.RemoveProperty DocumentMultivaluedProperty.addItem Document.RemoveEntryOfMultivaluedProperty Document.Reload',
  ),
  ...tests(
    'files/operations-files',
    'Context.FetchFile Document.GetBlobs Document.GetBlobsByProperty BlobHolder.AttachOnCurrentDocument Document.SetBlobName Blob.RemoveFromDocument Blob.CreateZip Blob.BulkDownload Blob.ConcatenatePDFs Document.Export Document.GetRendition',
  ),
  ...tests('content/archive-import', 'Document.Import'),
  ...tests('files/operations-outside', 'Blob.CreateFromURL Blob.ExportToFS Blob.PostToURL'),
  ...tests('model/nxql-rest', 'Repository.ResultSetQuery Repository.ResultSetPageProvider'),
  ...tests('content/document-lifecycle', 'Document.FollowLifecycleTransition'),
  ...tests('content/document-versions', 'Document.RestoreVersion'),
  ...tests(
    'content/document-proxies',
    'Document.PublishToSection Document.PublishToSections Document.CreateLiveProxy Proxy.GetSourceDocument',
  ),
  ...tests('access/acp-rest', 'Document.AddACE Document.UpdatePermission Document.RemoveACL'),
  ...tests('automation/operations/operations-flow', 'Document.UnblockPermissionInheritance'),
  ...tests(
    'content/collections',
    'Document.AddToCollection Collection.RemoveFromCollection Collection.Create Collection.GetDocumentsFromCollection User.GetCollections',
  ),
  ...tests('content/collections-consistency', 'Favorite.GetDocuments'),
  ...tests('files/operations-download', 'WebUI.DownloadFile'),
  ...tests('access/security-matrix-queries', 'Repository.PageProvider'),
  // Tested by their kinds: `Context.Push%s`.
  ...['Document', 'DocumentList', 'Blob', 'BlobList'].flatMap((kind) =>
    ['Push', 'Pop', 'Pull'].map((verb): [string, Row] => [
      `Context.${verb}${kind}`,
      { test: 'automation/operations/operations-values.test.ts', as: `Context.${verb}` },
    ]),
  ),
  ...['Document', 'Documents', 'Blob', 'Blobs'].map((kind): [string, Row] => [
    `Context.Restore${kind}InputFromScript`,
    { test: 'automation/operations/operations-values.test.ts', as: 'InputFromScript' },
  ]),
  ...tests('automation/operations/run-script', 'RunScript RunScriptFile RunInputScript'),
  ...tests('access/operations-login', 'Auth.LoginAs Auth.Logout'),
  ...tests('content/user-workspaces', 'User.GetUserWorkspace'),
  ...tests(
    'access/operations-identity',
    'User.Get User.Query User.CreateOrUpdate Group.CreateOrUpdate UserGroup.Suggestion Context.GetUsersGroupIdsWithPermissionOnDoc Context.GetEmailsWithPermissionOnDoc Directory.Entries Directory.ReadEntries Directory.CreateEntries Directory.UpdateEntries Directory.DeleteEntries Directory.Projection Directory.SuggestEntries Directory.CreateVocabularyEntry',
  ),
  ...tests(
    'content/tags',
    'Tag.Suggestion Services.TagDocument Services.UntagDocument Services.RemoveDocumentTags',
  ),
  ...tests(
    'content/collections',
    'Collection.Suggestion CreateACollection AddToCollection RemoveFromCollection GetAllDocumentsFromCollection',
  ),
  ...tests(
    'content/collections-consistency',
    'Document.AddToFavorites Document.RemoveFromFavorites Favorite.Fetch',
  ),
  ...tests(
    'files/operations-file-manager',
    'FileManager.Import FileManager.ImportWithProperties FileManager.CreateFolder UserWorkspace.CreateDocumentFromBlob GetRepositories',
  ),
  ...tests('automation/runs/bulk', 'Bulk.RunAction'),
  ...tests('automation/runs/bulk-operations', 'Bulk.WaitForAction'),
  ...tests('content/mail', 'Document.Mail Document.SendNotificationEmailForPermission'),
  ...tests('content/document-lifecycle', 'Event.Fire'),
  ...tests('automation/operations/operations-flow', 'Log'),
  ...tests('search/audit', 'Audit.LogEvent Audit.Query Audit.QueryWithPageProvider'),
  ...tests(
    'content/business-objects',
    'Business.BusinessCreateOperation Business.BusinessFetchOperation Business.BusinessUpdateOperation',
  ),
  ...tests('content/document-trash', 'Document.Trash Document.Untrash Document.EmptyTrash'),
  ...tests('content/document-places', 'Document.Order Document.AddFacet Document.RemoveFacet'),
  ...tests('content/notifications', 'Document.Subscribe Document.Unsubscribe'),
  ...tests('content/document-versions', 'Document.GetLastVersion'),
  ...tests('content/document-proxies', 'Document.RemoveProxies Document.UnpublishAll'),
  ...tests('access/acp-rest', 'Document.ReplacePermission'),
  ...absent(
    'relations are documents of the type Relation, which come with CMIS and its relationships',
    'Document.AddRelation Document.DeleteRelation Document.GetLinkedDocuments',
  ),
  ...absent(
    'nothing is known of what it does',
    'Task.ApplyDocumentMapping WorkflowModel.BulkRestartInstances',
  ),
  ...tests(
    'files/media-pictures',
    'Picture.Create Picture.GetView Picture.Resize Pictures.DiffWithBlobs Pictures.DiffWithDocs Image.Blob.ConvertToPDF',
  ),
  ...['Resize', 'Crop', 'Rotate', 'Convert', 'Watermark'].map((verb): [string, Row] => [
    `Image.Blob.${verb}`,
    { test: 'files/media-pictures.test.ts', as: 'Image.Blob.%s' },
  ]),
  ...tests(
    'files/media-operations',
    'Blob.ReadMetadata Blob.SetMetadataFromContext Blob.SetMetadataFromDocument Video.Slice Video.SliceInParts Video.Concat Video.AddWatermark',
  ),
  ...tests('files/media-runs', 'Picture.RecomputeViews'),
  // Tested by their names: `Image.Blob.%s`.
  ...['Resize', 'Crop', 'Rotate', 'Convert', 'Watermark'].map((name): [string, Row] => [
    `Image.Blob.${name}`,
    { test: 'files/media-pictures.test.ts', as: 'Image.Blob.%s' },
  ]),
  ...tests('files/media-pictures', 'Image.Blob.ConvertToPDF'),
  ...absent('no rendition of a container is chosen by default', 'Document.GetContainerRendition'),
  ...absent(
    'comes with the registration of users: the page by which who is invited chooses a password is part of the login',
    'User.Invite',
  ),
  ...tests(
    'automation/operations/operations-services',
    'Actions.GET RenditionDefinition.Suggestion Search.SuggestersLauncher Elasticsearch.WaitForIndexing',
  ),
  ...tests('search/elasticsearch', 'Elasticsearch.Index'),
  ...tests('automation/runs/bulk', 'Elasticsearch.BulkIndex'),
  ...tests('automation/operations/operations-traces', 'Traces.ToggleRecording Traces.Get'),
  ...tests('automation/operations/operations-counters', 'Counters.GET'),
  ...tests('files/operations-download', 'JsonStack.ToggleDisplay'),
  ...absent('an add-on of the reference platform', 'Document.CreateTreeSnapshot TemplateProcessor.Render'),
  ...absent('comments are not moderated', 'Comment.Moderate'),
  ...tests('automation/routing/open-tasks', 'Task.Create'),
  ...tests(
    'automation/routing/tasks',
    'Task.GetAssigned Context.GetTaskNames Workflow.UserTaskPageProvider Workflow.GetOpenTasks WorkflowTask.Complete WorkflowInstance.Cancel Workflow.ResumeNode Context.SetWorkflowVar',
  ),
  ...tests('automation/routing/open-workflows', 'Context.StartWorkflow'),
  ...tests('automation/routing/workflows', 'Workflow.SetNodeVariable Document.Routing.GetGraph'),
  ...tests('automation/routing/review-rights', 'Workflow.SetWorkflowVariables'),
  ...tests('content/rendering', 'Render.Document Render.DocumentFeed'),
])
