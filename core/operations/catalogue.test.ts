import { describe, expect, it } from 'vitest'
import type { Operation } from '../automation/index.js'
import { operations } from './index.js'

/** Types that today's Python client knows; any other one makes it fail (automation.md §2). */
const WIRE_TYPES = new Set(
  'blob boolean date document documents int integer long list map object properties resource serializable string stringlist validationmethod'.split(
    ' ',
  ),
)

const signatureOf = ({ methods }: Operation): string =>
  methods.map(({ input, output, iterates }) => `${input}${iterates ? '*' : ''}>${output}`).join(' ')

const parametersOf = ({ params }: Operation): string =>
  Object.entries(params)
    .map(([name, { type, isRequired, default: otherwise, aliases = [] }]) => {
      const names = [name, ...aliases].join('~')
      const fallback = otherwise === undefined ? '' : `=${otherwise}`
      return `${names}:${type}${isRequired ? '*' : ''}${fallback}`
    })
    .join(' ')

const RUN = 'id:string* isolate:boolean=false parameters:properties'
const TX = 'newTx:boolean=false timeout:integer=60 rollbackGlobalOnError:boolean=true'
const DOCUMENT = 'document*>document'
const SAVE = 'save:boolean=true'
const FILE = 'xpath:string=file:content'

/** The rows of automation.md §11: id and aliases, label, category, signature, parameters. */
const ROWS: readonly [string, string, string, string, string][] = [
  ['Context.FetchDocument', 'Context Document(s)', 'Fetch', 'document>document documents>documents', ''],
  ['Repository.GetDocument Document.Fetch', 'Document', 'Fetch', 'void>document', 'value:document*'],
  [
    'Repository.Query Document.Query',
    'Query',
    'Fetch',
    'void>documents',
    'query:string=SELECT * FROM Document language:string=NXQL queryParams:stringlist namedParameters:properties currentPageIndex~page:integer pageSize:integer sortBy:stringlist sortOrder:stringlist maxResults:integer',
  ],
  [
    'Repository.ResultSetQuery ResultSet.PaginatedQuery',
    'ResultSet Query',
    'Fetch',
    'void>object',
    'query:string* language:string=NXQL queryParams:stringlist namedParameters:properties currentPageIndex~page:integer pageSize:integer sortBy:stringlist sortOrder:stringlist maxResults:integer',
  ],
  [
    'Repository.PageProvider Document.PageProvider',
    'PageProvider',
    'Fetch',
    'void>documents',
    'providerName:string query:string language:string=NXQL currentPageIndex~page:integer pageSize:integer queryParams~searchTerm:stringlist namedParameters:properties sortBy:stringlist sortOrder:stringlist sortInfo:stringlist quickFilters:stringlist maxResults:integer documentLinkBuilder:string offset:integer highlights:stringlist',
  ],
  [
    'Repository.ResultSetPageProvider Resultset.PageProvider',
    'QueryAndFetch',
    'Fetch',
    'void>object',
    'providerName:string query:string language:string=NXQL currentPageIndex~page:integer pageSize:integer queryParams~searchTerm:stringlist namedParameters:properties sortBy:stringlist sortOrder:stringlist sortInfo:stringlist quickFilters:stringlist maxResults:integer documentLinkBuilder:string',
  ],
  ['Document.Create', 'Create', 'Document', DOCUMENT, 'type:string* name:string properties:properties'],
  [
    'Document.Update',
    'Update Properties',
    'Document',
    DOCUMENT,
    `properties:properties* ${SAVE} changeToken:string`,
  ],
  ['Document.Save', 'Save', 'Document', DOCUMENT, ''],
  [
    'Document.SetProperty',
    'Update Property',
    'Document',
    DOCUMENT,
    `xpath:string* value:serializable ${SAVE}`,
  ],
  ['Document.IncrementProperty', 'Increment Property', 'Document', DOCUMENT, 'xpath:string* by:long=1'],
  ['Document.Copy', 'Copy', 'Document', DOCUMENT, 'target:document* name:string'],
  ['Document.Move', 'Move', 'Document', DOCUMENT, 'target:document* name:string'],
  ['Document.Delete', 'Delete', 'Document', DOCUMENT, ''],
  ['Event.Fire Notification.SendEvent', 'Send Event', 'Notification', 'void>void', 'name:string*'],
  [
    'Document.Order',
    'Order Document',
    'Document',
    'document>document documents>documents',
    'before:document',
  ],
  ['Document.Trash', 'Trash', 'Document', 'document>document documents>documents', ''],
  ['Document.Untrash', 'Untrash', 'Document', DOCUMENT, ''],
  ['Document.EmptyTrash', 'Empty Trash', 'Document', 'void>void', 'parent:document*'],
  ['Document.AddFacet', 'Add Facet', 'Document', DOCUMENT, `facet:string* ${SAVE}`],
  ['Document.RemoveFacet', 'Remove Facet', 'Document', DOCUMENT, `facet:string* ${SAVE}`],
  ['Document.Lock', 'Lock', 'Document', DOCUMENT, 'owner:string'],
  ['Document.Unlock', 'Unlock', 'Document', DOCUMENT, ''],
  [
    'Document.FollowLifecycleTransition Document.SetLifeCycle',
    'Follow Lifecycle Transition',
    'Document',
    DOCUMENT,
    'value:string*',
  ],
  [
    'Document.CheckIn',
    'Check In',
    'Document',
    DOCUMENT,
    'version:string* comment:string versionVarName:string',
  ],
  ['Document.CheckOut', 'Check Out', 'Document', DOCUMENT, ''],
  [
    'Document.CreateVersion',
    'Snapshot Version',
    'Document',
    DOCUMENT,
    'increment:string=None saveDocument:boolean=true',
  ],
  ['Document.GetVersions', 'Get Versions', 'Document', 'document>documents', ''],
  ['Document.GetLastVersion', 'Get Last Version', 'Document', DOCUMENT, ''],
  [
    'Document.RestoreVersion',
    'Restore Version',
    'Document',
    'document>document',
    'createVersion:boolean=false checkout:boolean=false',
  ],
  [
    'Document.PublishToSection Document.Publish',
    'Publish Document',
    'Document',
    DOCUMENT,
    'target:document* override:boolean=true',
  ],
  [
    'Document.PublishToSections Document.MultiPublish',
    'Multi-Publish',
    'Document',
    'document*>documents',
    'target:documents* override:boolean=true',
  ],
  [
    'Document.CreateLiveProxy CreateProxyLive',
    'Create Proxy Live',
    'Document',
    DOCUMENT,
    'Destination Path:string*',
  ],
  ['Proxy.GetSourceDocument GetLiveDocument', 'Get Live Document', 'Document', DOCUMENT, ''],
  ['Document.RemoveProxies', 'Remove Document Proxies', 'Document', DOCUMENT, SAVE],
  ['Document.UnpublishAll', "Unpublish Document's Publications", 'Document', 'document>void', ''],
  ['Document.GetChildren', 'Get Children', 'Document', 'document*>documents', ''],
  ['Document.GetChild', 'Get Child', 'Document', DOCUMENT, 'name:string*'],
  ['Document.GetParent', 'Get Parent', 'Document', DOCUMENT, 'type:string'],
  [
    'Document.AddPermission Document.AddACL',
    'Add Permission',
    'Document',
    DOCUMENT,
    'username~user:string users:stringlist email:string permission:string* acl:string=local begin:date end:date blockInheritance:boolean=false notify:boolean=false comment:string',
  ],
  [
    'Document.ReplacePermission Document.UpdatePermission',
    'Replace Permission',
    'Document',
    DOCUMENT,
    'id:string* username~user:string* permission:string* acl:string=local begin:date end:date notify:boolean=false comment:string',
  ],
  [
    'Document.RemovePermission',
    'Remove Permission',
    'Document',
    DOCUMENT,
    'id:string user:string acl:string=local',
  ],
  [
    'Document.BlockPermissionInheritance',
    'Block Permission Inheritance',
    'Document',
    DOCUMENT,
    'acl:string=local',
  ],
  [
    'Document.UnblockPermissionInheritance',
    'Unblock Permission Inheritance',
    'Document',
    DOCUMENT,
    'acl:string=local',
  ],
  [
    'Document.AddACE Document.SetACE',
    'Set ACL',
    'Document',
    DOCUMENT,
    'user:string* permission:string* acl:string=local grant:boolean=true overwrite:boolean=true',
  ],
  ['Document.RemoveACL', 'Remove ACL', 'Document', DOCUMENT, 'acl:string*'],
  ['Document.GetBlob Blob.Get', 'Get Document File', 'Files', 'document*>blob', FILE],
  ['Document.SetBlob Blob.Set', 'Set File', 'Files', DOCUMENT, `${FILE} file:blob* ${SAVE}`],
  [
    'Blob.AttachOnDocument Blob.Attach',
    'Attach File',
    'Files',
    'blob*>blob',
    `${FILE} document:document* ${SAVE}`,
  ],
  [
    'Blob.Convert',
    'Convert to given mime-type',
    'Conversion',
    'document>blob blob>blob bloblist>bloblist',
    'mimeType:string*',
  ],
  ['Blob.ToPDF', 'Convert To PDF', 'Conversion', 'document>blob blob>blob bloblist>bloblist', ''],
  [
    'Blob.RunConverter',
    'Blob.RunConverter',
    'Conversion',
    'blob>blob',
    'converter:string* parameters:properties',
  ],
  ['Context.SetVar', 'Set Context Variable', 'Execution Context', 'void>void', 'name:string* value:object'],
  [
    'Context.SetInputAsVar',
    'Set Context Variable From Input',
    'Execution Context',
    'void>void',
    'name:string*',
  ],
  [
    'Context.RestoreDocumentInput',
    'Restore Document Input',
    'Execution Context',
    'void>document',
    'name:string*',
  ],
  [
    'Context.RestoreDocumentsInput',
    'Restore Documents Input',
    'Execution Context',
    'void>documents',
    'name:string*',
  ],
  ['Context.RestoreBlobInput', 'Restore File Input', 'Execution Context', 'void>blob', 'name:string*'],
  ['Context.RestoreBlobsInput', 'Restore Files Input', 'Execution Context', 'void>bloblist', 'name:string*'],
  ['RunOperation Context.RunOperation', 'Run Chain', 'Execution Flow', 'void>void', RUN],
  [
    'RunDocumentOperation Context.RunDocumentOperation',
    'Run Document Chain',
    'Execution Flow',
    DOCUMENT,
    `${RUN} ${TX}`,
  ],
  [
    'RunFileOperation Context.RunFileOperation',
    'Run File Chain',
    'Execution Flow',
    'blob*>blob',
    `${RUN} ${TX}`,
  ],
  [
    'Context.RunDocumentOperationInNewTx RunInNewTransaction',
    'Run Document Chain in new Tx',
    'Execution Flow',
    'void>void',
    'id:string* isolate:boolean=false rollbackGlobalOnError:boolean=false parameters:properties timeout:integer=60',
  ],
  [
    'RunOperationOnList Context.RunOperationOnList',
    'Run For Each',
    'Execution Flow',
    'void>void',
    `id:string* list:string* item:string=item isolate:boolean=true parameters:properties ${TX}`,
  ],
  [
    'RunOperationOnListInNewTx Context.RunOperationOnListInNewTx',
    'Run For Each in new TX',
    'Execution Flow',
    'void>void',
    'id:string* list:string* itemName~item:string=item isolate:boolean=true parameters:properties rollbackGlobalOnError:boolean=true',
  ],
  [
    'Log LogOperation',
    'Log',
    'Notification',
    'void>void',
    'category:string message:string* level:string*=info',
  ],
  [
    'Business.BusinessCreateOperation',
    'BusinessCreateOperation',
    'Business',
    'object>object',
    'parentPath:string* name:string*',
  ],
  ['Business.BusinessFetchOperation', 'BusinessFetchOperation', 'Business', 'object>object', ''],
  ['Business.BusinessUpdateOperation', 'BusinessUpdateOperation', 'Business', 'object>object', ''],
  ['Services.TagDocument', 'Tag Document', 'Services', DOCUMENT, 'tags:stringlist*'],
  ['Services.UntagDocument', 'Untag Document', 'Services', DOCUMENT, 'tags:stringlist*'],
  ['Services.RemoveDocumentTags', 'Remove All Document Tags', 'Services', DOCUMENT, ''],
  [
    'Tag.Suggestion',
    'Get tag suggestion',
    'Services',
    'void>blob',
    'searchTerm:string value:string xpath:string',
  ],
  ['Document.Subscribe', 'Subscribe document', 'Document', DOCUMENT, 'notifications:stringlist'],
  ['Document.Unsubscribe', 'Unsubscribe document', 'Document', DOCUMENT, 'notifications:stringlist'],
  ['User.GetUserWorkspace UserWorkspace.Get', 'Get Home', 'Users & Groups', 'void>document', ''],
  [
    'Collection.Create Collection.CreateCollection CreateACollection',
    'Create a collection',
    'Document',
    'document>document void>document',
    'name:string* description:string',
  ],
  [
    'Document.AddToCollection Collection.AddToCollection AddToCollection',
    'Add document to collection',
    'Document',
    'document>document documents>documents',
    'collection:document*',
  ],
  [
    'Collection.RemoveFromCollection RemoveFromCollection',
    'Remove from collection',
    'Document',
    'document>document documents>documents',
    'collection:document*',
  ],
  [
    'Collection.GetDocumentsFromCollection GetAllDocumentsFromCollection',
    'Get documents from collection',
    'Document',
    'document>documents',
    '',
  ],
  [
    'User.GetCollections Collection.GetCollections',
    'Get collections',
    'Users & Groups',
    'void>documents',
    'searchTerm:string*',
  ],
  [
    'Collection.Suggestion',
    'Get collection suggestion',
    'Services',
    'void>blob',
    'currentPageIndex:integer=0 pageSize:integer=20 lang:string searchTerm:string',
  ],
  [
    'Document.MoveCollectionMember',
    'Move collection member',
    'Document',
    'document>document',
    'member1:document* member2:document',
  ],
  [
    'Document.AddToFavorites Collection.AddToFavorites',
    'Add document to favorites',
    'Document',
    'document>document documents>documents',
    '',
  ],
  [
    'Document.RemoveFromFavorites Collection.RemoveFromFavorites',
    'Remove from favorites',
    'Document',
    'document>document documents>documents',
    '',
  ],
  ['Favorite.Fetch', 'Fetch favorites root collection', 'Document', 'void>document', ''],
  [
    'Favorite.GetDocuments Collection.GetElementsInFavorite',
    'Get documents from favorites',
    'Document',
    'document>documents void>documents',
    '',
  ],
  [
    'Directory.Entries',
    'Get directory entries',
    'Services',
    'document>blob void>blob',
    'directoryName:string* translateLabels:boolean=false lang:string',
  ],
  [
    'Directory.ReadEntries',
    'Reads directory entries',
    'Services',
    'void>blob',
    'directoryName:string* entries:string* translateLabels:boolean=false lang:string',
  ],
  [
    'Directory.CreateEntries',
    'Creates directory entries',
    'Services',
    'void>blob',
    'directoryName:string* entries:string*',
  ],
  [
    'Directory.UpdateEntries',
    'Updates directory entries',
    'Services',
    'void>blob',
    'directoryName:string* entries:string*',
  ],
  [
    'Directory.DeleteEntries',
    'Deletes directory entries',
    'Services',
    'void>blob',
    'directoryName:string* entries:string* markObsolete:boolean=false',
  ],
  [
    'Directory.Projection',
    'Get a Directory Projection',
    'Services',
    'void>void',
    'directoryName:string* columnName:string* variableName:string* filters:properties fulltextFields:stringlist',
  ],
  [
    'Directory.SuggestEntries',
    'Get directory entries',
    'Services',
    'void>blob',
    'directoryName:string* localize:boolean=false lang:string searchTerm~prefix:string labelFieldName:string=label dbl10n:boolean=false canSelectParent:boolean=false filterParent:boolean=false keySeparator:string=/ displayObsoleteEntries:boolean=false contains:boolean=false caseSensitive:boolean=false absoluteLabelSeparator:string=/',
  ],
  [
    'Directory.CreateVocabularyEntry',
    'Vocabulary: Add Entry',
    'Services',
    'void>void',
    'vocabularyName:string* id:string* label:string parent:string obsolete:long ordering:long',
  ],
  ['User.Get NuxeoPrincipal.Get', 'Get Nuxeo Principal', 'Users & Groups', 'void>object', 'login:string'],
  [
    'User.Query Services.QueryUsers',
    'Query Users',
    'Users & Groups',
    'void>blob',
    'username:string firstName:string lastName:string pattern:string tenantId:string',
  ],
  [
    'User.CreateOrUpdate',
    'Create or Update User',
    'Users & Groups',
    'void>void',
    'username:string* password:string email:string firstName:string lastName:string company:string tenantId:string groups:stringlist properties:properties mode:string',
  ],
  [
    'Group.CreateOrUpdate',
    'Create or Update Group',
    'Users & Groups',
    'void>void',
    'groupname:string* tenantId:string grouplabel:string description:string members:stringlist subGroups:stringlist parentGroups:stringlist properties:properties mode:string',
  ],
  [
    'UserGroup.Suggestion',
    'Get user/group suggestion',
    'Users & Groups',
    'void>blob',
    'searchTerm~prefix:string searchType:string groupRestriction:string userSuggestionMaxSearchResults:integer firstLabelField:string secondLabelField:string thirdLabelField:string hideFirstLabel:boolean=false hideSecondLabel:boolean=false hideThirdLabel:boolean=false displayEmailInSuggestion:boolean=false hideIcon:boolean=false lang:string',
  ],
  [
    'Context.GetUsersGroupIdsWithPermissionOnDoc Document.GetUsersAndGroups',
    'Get Users and Groups',
    'Users & Groups',
    'document>document',
    'permission:string* variable name:string* ignore groups:boolean=false resolve groups:boolean=false prefix identifiers:boolean=false',
  ],
  [
    'Context.GetEmailsWithPermissionOnDoc Document.GetPrincipalEmails',
    'Get Principal Emails',
    'Users & Groups',
    'document>document',
    'permission:string* variable name:string* ignore groups:boolean=false',
  ],
]

const find = (id: string): Operation | undefined => operations.find((operation) => operation.id === id)

describe('the catalogue of operations', () => {
  it.each(ROWS)('%s', (names, label, category, signature, parameters) => {
    const [id = '', ...aliases] = names.split(' ')
    const operation = find(id)!
    expect(operation).toMatchObject({ label, category })
    expect(operation.aliases ?? []).toEqual(aliases)
    expect(signatureOf(operation)).toBe(signature)
    expect(parametersOf(operation)).toBe(parameters)
  })

  it('has a row here for every operation', () => {
    expect(operations.map(({ id }) => id).sort()).toEqual(ROWS.map(([names]) => names.split(' ')[0]).sort())
  })

  it('gives no two operations the same id or alias', () => {
    const names = operations.flatMap(({ id, aliases = [] }) => [id, ...aliases])
    expect(names.filter((name, position) => names.indexOf(name) !== position)).toEqual([])
  })

  it.each(operations)('$id can be described to every client', ({ description, params }) => {
    expect(description).toMatch(/^[A-Z].*\.$/)
    const unknown = Object.values(params).filter(({ type }) => !WIRE_TYPES.has(type))
    expect(unknown).toEqual([])
  })

  it('marks as slow what waits for a converter', () => {
    const slow = operations.filter(({ isSlow }) => isSlow).map(({ id }) => id)
    expect(slow).toEqual(['Blob.Convert', 'Blob.ToPDF', 'Blob.RunConverter'])
  })

  it.each<[string, { [name: string]: boolean | string }, string | undefined]>([
    ['RunOperationOnListInNewTx', {}, 'loop'],
    ['Context.RunDocumentOperationInNewTx', {}, 'transaction'],
    ['RunOperationOnList', {}, undefined],
    ['RunOperationOnList', { newTx: true }, 'loop'],
    ['RunOperationOnList', { newTx: ' TRUE ' }, 'loop'],
    ['RunOperationOnList', { newTx: 'false' }, undefined],
    ['RunDocumentOperation', { newTx: true }, 'transaction'],
    ['RunDocumentOperation', { newTx: 'expr:x' }, undefined],
    ['RunFileOperation', { newTx: 'true' }, 'transaction'],
    ['RunOperation', { newTx: true }, undefined],
  ])('cuts a chain at %s %j: %s', (id, params, expected) => {
    const { boundary, callsTarget } = find(id)!
    expect(callsTarget).toBe(true)
    expect(typeof boundary === 'function' ? boundary(params) : boundary).toBe(expected)
  })
})
