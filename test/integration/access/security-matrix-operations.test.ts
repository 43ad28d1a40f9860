import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { operations } from '../../../core/automation/operations/index.js'
import { withFile } from '../support/bad-input-support.js'
import type { Answer, Call } from '../support/rest-client.js'
import {
  AUTOMATION,
  CLOSED,
  createSecurityBench,
  expectUndisclosed,
  OPEN,
  USERS,
  withoutReferences,
} from '../support/security-support.js'

const { call, fresh, make, next, traces } = await createSecurityBench()

const SEEING = [404, 200, 200, 200, 200]
const WRITING = [404, 403, 200, 200, 200]
const REMOVING = [404, 403, 204, 204, 204]
const GRANTING = [404, 403, 403, 200, 200]
type Row = {
  statuses: readonly number[]
  params?: object
  input?: 'none' | 'file' | 'list'
  type?: 'Folder'
  /** Its first steps, which change nothing, are recorded as done before it is refused. */
  commits?: true
}

const row = (statuses: readonly number[], params: object = {}, more: Partial<Row> = {}): Row => ({
  statuses,
  params,
  ...more,
})

/** Each operation on a document that only some may read or write: its answers to each of the users. */
const MATRIX: { [operation: string]: Row } = {
  'Context.FetchDocument': row(SEEING),
  'Repository.GetDocument': row(SEEING, { value: 'ID' }, { input: 'none' }),
  'Document.Create': row(WRITING, { type: 'File', name: 'made' }, { type: 'Folder' }),
  'Document.Update': row(WRITING, { properties: { 'dc:title': 'changed' } }),
  'Document.Save': row(SEEING),
  'Document.SetProperty': row(WRITING, { xpath: 'dc:title', value: 'changed' }),
  'Document.RemoveProperty': row(WRITING, { xpath: 'dc:title' }),
  'DocumentMultivaluedProperty.addItem': row(WRITING, { xpath: 'dc:subjects', value: 'added' }),
  'Document.RemoveEntryOfMultivaluedProperty': row(SEEING, { xpath: 'dc:subjects', value: 'none' }),
  'Document.Reload': row(SEEING),
  'Document.Export': row(SEEING),
  'Document.GetRendition': row(SEEING, { renditionName: 'xmlExport' }),
  RunOperationOnProvider: row([404, 204, 204, 204, 204], { id: 'Document.Reload' }),
  'Document.Filter': row(SEEING),
  'Repository.SaveSession': row(SEEING),
  'Document.GetBlobs': row(SEEING),
  'Document.GetBlobsByProperty': row([404, 204, 204, 204, 204]),
  'Document.SetBlobName': row(WRITING, { name: 'changed' }),
  'Blob.RemoveFromDocument': row(WRITING),
  'Blob.BulkDownload': row(SEEING),
  'Context.PushDocument': row(SEEING),
  'Context.PushDocumentList': row(SEEING),
  'Document.IncrementProperty': row(WRITING, { xpath: 'uid:major_version' }),
  'Document.Copy': row(SEEING, { target: OPEN }),
  'Document.Move': row(WRITING, { target: OPEN }),
  'Document.Delete': row(REMOVING),
  'Document.DeletePage': row(WRITING),
  'Document.Lock': row(WRITING),
  'Document.Unlock': row(SEEING),
  'Document.FollowLifecycleTransition': row(WRITING, { value: 'approve' }),
  'Document.CheckIn': row(WRITING, { version: 'minor' }),
  'Document.CheckOut': row(WRITING),
  'Document.CreateVersion': row(WRITING, { increment: 'Minor' }),
  'Document.GetVersions': row(SEEING),
  'Document.GetLastVersion': row([404, 204, 204, 204, 204]),
  'Document.RestoreVersion': row([404, 400, 400, 400, 400]),
  'Document.Trash': row(WRITING),
  'Document.Untrash': row(WRITING),
  'Document.EmptyTrash': row([404, 204, 204, 204, 204], { parent: 'ID' }, { input: 'none', type: 'Folder' }),
  'Document.Order': row([404, 403, 400, 400, 400]),
  'Document.AddFacet': row(WRITING, { facet: 'Thumbnail' }),
  'Document.RemoveFacet': row(SEEING, { facet: 'Thumbnail' }),
  'Document.PublishToSection': row(WRITING, { target: OPEN }),
  'Document.PublishToSections': row(WRITING, { target: [OPEN] }),
  'Proxy.GetSourceDocument': row(SEEING),
  'Document.RemoveProxies': row(SEEING),
  'Document.UnpublishAll': row([404, 204, 204, 204, 204]),
  'Audit.LogEvent': row(SEEING, { event: 'contractSigned' }),
  'Event.Fire': row(SEEING, { name: 'contractSigned' }),
  'Document.GetChildren': row(SEEING, {}, { type: 'Folder' }),
  'Document.GetChild': row(SEEING, { name: 'child' }, { type: 'Folder' }),
  'Document.GetParent': row(SEEING),
  'Document.AddPermission': row(GRANTING, { username: 'reader', permission: 'Write' }),
  'Document.RemovePermission': row(GRANTING, { user: 'reader' }),
  'Document.BlockPermissionInheritance': row(GRANTING),
  'Document.UnblockPermissionInheritance': row(GRANTING),
  'Document.ReplacePermission': row(GRANTING, { id: 'a:Read:true', username: 'reader', permission: 'Write' }),
  'Document.AddACE': row(GRANTING, { user: 'reader', permission: 'Read', overwrite: false }),
  'Document.RemoveACL': row(GRANTING, { acl: 'other' }),
  'Document.GetBlob': row(SEEING),
  'Context.GetUsersGroupIdsWithPermissionOnDoc': row(SEEING, {
    permission: 'Read',
    'variable name': 'holders',
  }),
  'Context.GetEmailsWithPermissionOnDoc': row(SEEING, { permission: 'Read', 'variable name': 'holders' }),
  'Document.SetBlob': row([400, 400, 400, 400, 400], { file: 'a text is no file' }),
  'Blob.AttachOnDocument': row(WRITING, { document: 'ID' }, { input: 'file' }),
  'Blob.Convert': row(SEEING, { mimeType: 'text/plain' }),
  'Image.Blob.Resize': row([404, 415, 415, 415, 415], { width: 10 }),
  'Image.Blob.Crop': row([404, 415, 415, 415, 415], { width: 10, height: 10 }),
  'Image.Blob.Rotate': row([404, 415, 415, 415, 415], { angle: 90 }),
  'Image.Blob.Convert': row([404, 415, 415, 415, 415], { conversionFormat: 'png' }),
  'Image.Blob.Watermark': row([404, 415, 415, 415, 415], { watermark: 'Draft' }),
  'Image.Blob.ConvertToPDF': row([404, 415, 415, 415, 415]),
  'Picture.RecomputeViews': row(WRITING),
  'Blob.SetMetadataFromDocument': row([404, 400, 400, 400, 400], { metadata: {} }),
  'Picture.GetView': row([404, 204, 204, 204, 204], { viewName: 'nothing' }),
  'Picture.Create': row(WRITING, { name: 'made' }, { type: 'Folder' }),
  'Collection.Create': row(WRITING, { name: 'made' }, { type: 'Folder' }),
  'Document.AddToCollection': row(SEEING, { collection: `${OPEN}/collection` }),
  'Collection.RemoveFromCollection': row(SEEING, { collection: `${OPEN}/collection` }),
  'Collection.GetDocumentsFromCollection': row([404, 400, 400, 400, 400]),
  'Document.MoveCollectionMember': row([404, 400, 400, 400, 400], { member1: 'ID' }),
  'Document.AddToFavorites': row(SEEING),
  'Document.RemoveFromFavorites': row(SEEING),
  'Favorite.GetDocuments': row(SEEING),
  'Services.TagDocument': row(SEEING, { tags: 'a tag' }),
  'Services.UntagDocument': row(SEEING, { tags: 'not there' }),
  'Services.RemoveDocumentTags': row(SEEING),
  'Document.Subscribe': row(SEEING),
  'Document.Unsubscribe': row(SEEING),
  'Actions.GET': row(SEEING, { category: 'any' }),
  'FileManager.CreateFolder': row(WRITING, { title: 'made' }, { type: 'Folder' }),
  'Context.StartWorkflow': row(WRITING, { id: 'SerialDocumentReview' }),
  'Workflow.GetOpenTasks': row(SEEING),
  'WorkflowTask.Complete': row([404, 404, 404, 404, 404]),
  'Task.Create': row(SEEING, {
    'task name': 'read it',
    'additional list of actors prefixed ids': ['user:reader'],
  }),
  RunOperation: row(WRITING, { id: 'retitle' }),
  RunDocumentOperation: row(WRITING, { id: 'retitle' }),
  'Context.RunDocumentOperationInNewTx': row(WRITING, { id: 'retitle', rollbackGlobalOnError: true }),
  retitle: row(WRITING),
  retitleAll: row(WRITING, {}, { input: 'list', commits: true }),
}

/** Operations that touch no document of their own, or need a file as their input. */
const WITHOUT_DOCUMENT = [
  'Context.FetchFile',
  'WebUI.DownloadFile',
  // Who may change it: operations-download.test.ts.
  'JsonStack.ToggleDisplay',
  // For administrators alone: operations-traces.test.ts, operations-counters.test.ts.
  'Traces.ToggleRecording',
  'Traces.Get',
  'Counters.GET',
  'BlobHolder.AttachOnCurrentDocument',
  'Blob.ConcatenatePDFs',
  // Pictures of documents that their caller may not read: media-pictures.test.ts.
  'Picture.Resize',
  // Of files alone: media-operations.test.ts.
  'Video.Slice',
  'Video.SliceInParts',
  'Video.Concat',
  'Video.AddWatermark',
  'Blob.ReadMetadata',
  'Blob.SetMetadataFromContext',
  'Pictures.DiffWithBlobs',
  'Pictures.DiffWithDocs',
  'Document.CreateLiveProxy',
  'Blob.CreateFromURL',
  'Blob.CreateZip',
  'Blob.ExportToFS',
  'Blob.PostToURL',
  'Context.PushBlob',
  'Context.PushBlobList',
  ...['Pop', 'Pull'].flatMap((verb) =>
    ['Document', 'DocumentList', 'Blob', 'BlobList'].map((kind) => `Context.${verb}${kind}`),
  ),
  // For administrators alone: run-script.test.ts, wire-script.test.ts.
  'RunScript',
  'RunScriptFile',
  'RunInputScript',
  'Context.RestoreBlobInputFromScript',
  'Context.RestoreBlobsInputFromScript',
  'Context.RestoreDocumentInputFromScript',
  'Context.RestoreDocumentsInputFromScript',
  // A text of their caller is evaluated for administrators alone, a deployed one for all: rendering.test.ts.
  'Render.Document',
  'Render.DocumentFeed',
  // What it finds: operations-values.test.ts.
  'Document.FetchByProperty',
  'Blob.RunConverter',
  'Blob.ToPDF',
  // Take an object that names its document: business-objects.test.ts.
  'Business.BusinessCreateOperation',
  'Business.BusinessFetchOperation',
  'Business.BusinessUpdateOperation',
  'Context.RestoreBlobInput',
  'Context.RestoreBlobsInput',
  'Context.RestoreDocumentInput',
  'Context.RestoreDocumentsInput',
  'Context.SetInputAsVar',
  'Context.SetVar',
  'Log',
  // What queries reveal: security-matrix-queries.test.ts.
  'Repository.PageProvider',
  'Repository.Query',
  'Repository.ResultSetPageProvider',
  'Repository.ResultSetQuery',
  'RunFileOperation',
  'RunOperationOnList',
  'Context.RunOperationOnListInNewTx',
  'Tag.Suggestion',
  'User.GetUserWorkspace',
  'User.GetCollections',
  'Collection.Suggestion',
  'Favorite.Fetch',
  // Rights on directories, users and groups: operations-identity.test.ts.
  'Directory.Entries',
  'Directory.ReadEntries',
  'Directory.CreateEntries',
  'Directory.UpdateEntries',
  'Directory.DeleteEntries',
  'Directory.Projection',
  'Directory.SuggestEntries',
  'Directory.CreateVocabularyEntry',
  'User.Get',
  'User.Query',
  'User.CreateOrUpdate',
  'Group.CreateOrUpdate',
  'UserGroup.Suggestion',
  // Of documents, what the caller may browse: security-matrix-queries.test.ts.
  'Search.SuggestersLauncher',
  'GetRepositories',
  // For administrators alone: audit.test.ts.
  'Audit.Query',
  'Audit.QueryWithPageProvider',
  'Elasticsearch.WaitForIndexing',
  // For administrators alone: elasticsearch.test.ts.
  'Elasticsearch.Index',
  'Elasticsearch.BulkIndex',
  'RenditionDefinition.Suggestion',
  // For administrators alone, or with a mail server: mail.test.ts.
  'Document.Mail',
  'Document.SendNotificationEmailForPermission',
  // Commands of their own, with the rights of who gives them: bulk.test.ts.
  'Bulk.RunAction',
  'Bulk.WaitForAction',
  // Steps of deployed chains: operations-login.test.ts.
  'Auth.LoginAs',
  'Auth.Logout',
  // Folders that files are put into: operations-file-manager.test.ts.
  'FileManager.Import',
  'FileManager.ImportWithProperties',
  // Folders that archives are read into: archive-import.test.ts.
  'Document.Import',
  'UserWorkspace.CreateDocumentFromBlob',
  // Rights on workflows and their tasks: workflows.test.ts.
  'WorkflowInstance.Cancel',
  'Workflow.ResumeNode',
  'Context.SetWorkflowVar',
  'Workflow.SetNodeVariable',
  'Workflow.SetWorkflowVariables',
  'Document.Routing.GetGraph',
  'Workflow.UserTaskPageProvider',
  'Task.GetAssigned',
  'Context.GetTaskNames',
]

test('every operation is in the matrix', () => {
  const known = new Set([...Object.keys(MATRIX), ...WITHOUT_DOCUMENT])
  expect(operations.map(({ id }) => id).filter((id) => !known.has(id))).toEqual([])
  const ids = new Set(operations.map(({ id }) => id))
  expect(WITHOUT_DOCUMENT.filter((id) => !ids.has(id))).toEqual([])
})

const requestOf = ({ params = {}, input }: Row, id: string): Call => {
  const filled = JSON.parse(JSON.stringify(params).replaceAll('ID', id))
  if (input === 'file') return withFile({ params: filled })
  return {
    json: {
      ...(input !== 'none' && { input: `${input === 'list' ? 'docs' : 'doc'}:${id}` }),
      params: filled,
    },
  }
}

describe.each(Object.entries(MATRIX))('%s', (operation, entry) => {
  test.each(USERS.map((user, position) => [user, entry.statuses[position]] as const))(
    'as %s: %i',
    async (user, status) => {
      const document = await fresh(entry.type)
      const before = await traces()
      const answer = await call('POST', `${AUTOMATION}/${operation}`, {
        ...requestOf(entry, document.uid),
        user,
      })
      expect(answer.status, answer.text).toBe(status)
      if (status === undefined || status < 400) return
      const after = await traces()
      expect(entry.commits ? { ...after, receipts: before.receipts } : after).toEqual(before)
      if (status === 404) expectUndisclosed(answer)
      if (status === 403) expect(answer.json.message).toMatch(/Privilege '\w+' is not granted to '\w+'/)
    },
  )
})

/** As the stranger sees it, with the reference of a document that is hidden, and of one that is not there. */
const expectAlike = async (ask: (reference: string) => Promise<Answer>, type: Row['type']): Promise<void> => {
  const { uid, path } = await fresh(type)
  const before = await traces()
  for (const [hidden, missing] of [
    [uid, randomUUID()],
    [path, `${CLOSED}/${'x'.repeat(path.length - CLOSED.length - 1)}`],
    [path, path.replace('closed', 'nothin')],
  ] as const) {
    const answer = await ask(hidden)
    expect(withoutReferences(answer, hidden)).toEqual(withoutReferences(await ask(missing), missing))
    expect(answer.status).toBeGreaterThanOrEqual(400)
    expect(answer.status).toBeLessThan(500)
  }
  const after = await traces()
  expect({ ...after, receipts: before.receipts }).toEqual(before)
}

describe('what is hidden looks like what is not there', () => {
  test.each(Object.entries(MATRIX))('as the input of %s', async (operation, entry) => {
    await expectAlike(
      (reference) =>
        call('POST', `${AUTOMATION}/${operation}`, { ...requestOf(entry, reference), user: 'stranger' }),
      entry.type,
    )
  })

  const references = operations.flatMap(({ id, params }) =>
    Object.entries(params)
      .filter(([, { type }]) => type === 'document' || type === 'documents')
      .map(([name, { type }]) => ({ operation: id, name, type })),
  )

  test.each(references)('as $name of $operation', async ({ operation, name, type }) => {
    const { params, ...entry } = MATRIX[operation] ?? row([])
    const visible = await make(OPEN, next('visible'))
    await expectAlike((reference) => {
      const json = { ...params, [name]: type === 'documents' ? [OPEN, reference] : reference }
      const { json: body, ...rest } = requestOf({ ...entry, params: json }, visible.uid)
      return call('POST', `${AUTOMATION}/${operation}`, { ...rest, json: body, user: 'stranger' })
    }, undefined)
  })

  test.each(['retitle', 'Document.Update', 'RunOperation'])('among other inputs of %s', async (operation) => {
    const visible = await make(OPEN, next('visible'))
    const params = { id: 'retitle', properties: 'dc:title=changed' }
    await expectAlike(
      (reference) =>
        call('POST', `${AUTOMATION}/${operation}`, {
          user: 'stranger',
          json: { input: `docs:${visible.uid},${reference}`, params },
        }),
      undefined,
    )
  })
})
