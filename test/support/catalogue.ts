type Row = { test: string; as?: string } | { because: string }

const tests = (file: string, ids: string): [string, Row][] =>
  ids.split(' ').map((id) => [id, { test: `${file}.test.ts` }])

const absent = (because: string, ids: string): [string, Row][] =>
  ids.split(' ').map((id) => [id, { because }])

/**
 * The rows of automation.md §11 in the groups Fetch, Document, Files, Conversion, Execution Context, Push & Pop and
 * Execution Flow, and those of today's clients that belong to them: id → the integration test that covers it, or why
 * the product does not have it.
 */
export const CATALOGUE: ReadonlyMap<string, Row> = new Map<string, Row>([
  ...tests(
    'operations',
    'Repository.GetDocument Repository.Query Document.Create Document.Update Document.Save Document.SetProperty Document.Copy Document.Move Document.Delete Document.GetChild Document.GetChildren Document.GetParent Document.GetVersions Document.CreateVersion Document.CheckIn Document.CheckOut Document.Lock Document.Unlock',
  ),
  ...tests(
    'operations-flow',
    'Context.FetchDocument Document.AddPermission Document.RemovePermission Document.BlockPermissionInheritance Document.GetBlob Document.SetBlob Blob.AttachOnDocument Blob.Convert Blob.ToPDF Blob.RunConverter Context.SetVar Context.SetInputAsVar Context.RestoreDocumentInput Context.RestoreDocumentsInput Context.RestoreBlobInput Context.RestoreBlobsInput RunOperation RunDocumentOperation RunFileOperation RunOperationOnList',
  ),
  ...tests('chain-execution', 'RunOperationOnListInNewTx'),
  ...tests('security-matrix-operations', 'Context.RunDocumentOperationInNewTx'),
  ...tests(
    'operations-values',
    'Document.FetchByProperty Document.RemoveProperty DocumentMultivaluedProperty.addItem Document.RemoveEntryOfMultivaluedProperty Document.Reload Document.Filter Repository.SaveSession RunOperationOnProvider',
  ),
  ...tests(
    'operations-files',
    'Context.FetchFile Blob.CreateFromURL Document.GetBlobs Document.GetBlobsByProperty BlobHolder.AttachOnCurrentDocument Document.SetBlobName Blob.RemoveFromDocument Blob.CreateZip Blob.ExportToFS Blob.PostToURL Blob.BulkDownload Blob.ConcatenatePDFs Document.Export Document.GetRendition',
  ),
  ...tests('nxql-rest', 'Repository.ResultSetQuery Repository.ResultSetPageProvider'),
  ...tests('document-lifecycle', 'Document.FollowLifecycleTransition'),
  ...tests('document-versions', 'Document.RestoreVersion'),
  ...tests(
    'document-proxies',
    'Document.PublishToSection Document.PublishToSections Document.CreateLiveProxy Proxy.GetSourceDocument',
  ),
  ...tests('acp-rest', 'Document.AddACE Document.UpdatePermission Document.RemoveACL'),
  ...tests('operations-flow', 'Document.UnblockPermissionInheritance'),
  ...tests(
    'collections',
    'Document.AddToCollection Collection.RemoveFromCollection Collection.Create Collection.GetDocumentsFromCollection User.GetCollections Favorite.GetDocuments',
  ),
  ...tests('operations-download', 'WebUI.DownloadFile'),
  ...tests('security-matrix-queries', 'Repository.PageProvider'),
  // Tested by their kinds: `Context.Push%s`.
  ...['Document', 'DocumentList', 'Blob', 'BlobList'].flatMap((kind) =>
    ['Push', 'Pop', 'Pull'].map((verb): [string, Row] => [
      `Context.${verb}${kind}`,
      { test: 'operations-values.test.ts', as: `Context.${verb}` },
    ]),
  ),
  ...['Document', 'Documents', 'Blob', 'Blobs'].map((kind): [string, Row] => [
    `Context.Restore${kind}InputFromScript`,
    { test: 'operations-values.test.ts', as: 'InputFromScript' },
  ]),
  ...absent('a run is told by its history', 'Traces.ToggleRecording Traces.Get'),
  ...tests('operations-download', 'JsonStack.ToggleDisplay'),
  ...absent('there is no audit yet', 'Audit.QueryWithPageProvider'),
  ...absent('an add-on of the reference platform', 'Document.CreateTreeSnapshot TemplateProcessor.Render'),
  ...absent('comments are not moderated', 'Comment.Moderate'),
  ...absent(
    'comes with the media',
    'Picture.GetView Picture.Resize Pictures.DiffWithBlobs Pictures.DiffWithDocs',
  ),
  ...absent('needs an engine of FreeMarker templates', 'Render.Document Render.DocumentFeed'),
])
