import { beforeAll, expect, test } from 'vitest'
import { createClient, type Entity } from '../support/rest-client.js'
import { createTestPlatform } from '../support/rest-support.js'

// The model and content that clients find in a new deployment (docs/conformance/rest-documents.md §12).

const platform = await createTestPlatform()
const call = createClient(platform)
let types: { [type: string]: { parent: string; facets: string[]; schemas: string[] } }
let schemas: { [schema: string]: Entity }

beforeAll(async () => {
  const { json } = await call('GET', '/api/v1/config/types')
  ;({ doctypes: types, schemas } = json)
})

const INFO = { width: 'long', height: 'long', format: 'string' }

test.each<[schema: string, prefix: string, fields: object]>([
  [
    'dublincore',
    'dc',
    {
      ...{ title: 'string', description: 'string', subjects: 'string[]', rights: 'string', source: 'string' },
      ...{
        coverage: 'string',
        created: 'date',
        modified: 'date',
        issued: 'date',
        valid: 'date',
        expired: 'date',
      },
      ...{ format: 'string', language: 'string', creator: 'string', contributors: 'string[]' },
      ...{ lastContributor: 'string', nature: 'string', publisher: 'string' },
    },
  ],
  ['common', 'common', { icon: 'string', 'icon-expanded': 'string', size: 'long' }],
  ['uid', 'uid', { uid: 'string', major_version: 'long', minor_version: 'long' }],
  ['file', 'file', { content: 'blob', filename: 'string' }],
  ['files', 'files', { files: { type: 'complex[]', fields: { file: 'blob', filename: 'string' } } }],
  ['note', 'note', { note: 'string', mime_type: 'string' }],
  [
    'relatedtext',
    'relatedtext',
    {
      relatedtextresources: {
        type: 'complex[]',
        fields: { relatedtextid: 'string', relatedtext: 'string' },
      },
    },
  ],
  ['domain', 'domain', { display_type: 'boolean', content_roots: 'string[]' }],
  ['publishing', 'publish', { sections: 'string[]' }],
  [
    'webcontainer',
    'webc',
    {
      ...{
        isWebContainer: 'boolean',
        useCaptcha: 'boolean',
        name: 'string',
        url: 'string',
        template: 'string',
      },
      ...{ theme: 'string', themePage: 'string', themePerspective: 'string', email: 'string' },
      ...{
        welcomeText: 'string',
        baseline: 'string',
        moderationType: 'string',
        welcomeMedia: 'blob',
        logo: 'blob',
      },
    },
  ],
  ['collection', 'collection', { documentIds: 'string[]' }],
  ['collectionMember', 'collectionMember', { collectionIds: 'string[]' }],
  ['facetedTag', 'nxtag', { tags: { type: 'complex[]', fields: { label: 'string', username: 'string' } } }],
  [
    'picture',
    'picture',
    {
      ...{
        headline: 'string',
        subheadline: 'string',
        byline: 'string',
        dateline: 'string',
        slugline: 'string',
      },
      ...{ credit: 'string', language: 'string', source: 'string', origin: 'string', genre: 'string' },
      ...{ caption: 'string', typage: 'string', cropCoords: 'string' },
      info: { type: 'complex', fields: { ...INFO, depth: 'long', colorSpace: 'string' } },
      views: {
        type: 'complex[]',
        fields: {
          ...{ title: 'string', description: 'string', tag: 'string', height: 'long', width: 'long' },
          ...{ filename: 'string', content: 'blob' },
          info: { type: 'complex', fields: { ...INFO, depth: 'long', colorSpace: 'string' } },
        },
      },
    },
  ],
  [
    'image_metadata',
    'imd',
    {
      ...{ image_description: 'string', user_comment: 'string', equipment: 'string' },
      ...{ date_time_original: 'date', xresolution: 'long', yresolution: 'long', pixel_xdimension: 'long' },
      ...{
        pixel_ydimension: 'long',
        copyright: 'string',
        exposure_time: 'string',
        iso_speed_ratings: 'string',
      },
      ...{ focal_length: 'double', focalLength: 'string', color_space: 'string', white_balance: 'string' },
      ...{ icc_profile: 'string', orientation: 'string', fnumber: 'double' },
    },
  ],
  [
    'video',
    'vid',
    {
      info: {
        type: 'complex',
        fields: {
          ...{ ...INFO, duration: 'double', frameRate: 'double' },
          streams: {
            type: 'complex[]',
            fields: { streamInfo: 'string', type: 'string', codec: 'string', bitRate: 'double' },
          },
        },
      },
      storyboard: {
        type: 'complex[]',
        fields: { content: 'blob', timecode: 'double', comment: 'string' },
      },
      transcodedVideos: { type: 'complex[]', fields: { name: 'string', content: 'blob' } },
    },
  ],
  ['audio', 'aud', { duration: 'long' }],
  ['thumbnail', 'thumb', { thumbnail: 'blob' }],
])('the schema %s has the prefix %s and its fields', (name, prefix, fields) => {
  expect(schemas[name]?.['@prefix'] ?? name).toBe(prefix)
  expect(schemas[name]).toMatchObject(fields)
})

const FOLDER = ['common', 'dublincore']
const CONTENT = ['Collection', 'Folder', 'OrderedFolder', 'File', 'Note', 'Picture', 'Video', 'Audio']
const DOCUMENT = ['Versionable', 'Publishable', 'Commentable']

test.each<[type: string, parent: string, schemas: string[], facets: string[], children: string[]]>([
  ['Folder', 'Document', FOLDER, ['Folderish'], CONTENT],
  ['OrderedFolder', 'Folder', FOLDER, ['Folderish', 'Orderable'], CONTENT],
  ['Root', 'Folder', FOLDER, ['Folderish', 'NotCollectionMember'], ['Domain']],
  [
    'Domain',
    'Folder',
    [...FOLDER, 'domain'],
    ['SuperSpace', 'NotCollectionMember'],
    ['WorkspaceRoot', 'SectionRoot', 'TemplateRoot'],
  ],
  [
    'WorkspaceRoot',
    'Folder',
    FOLDER,
    ['SuperSpace', 'HiddenInCreation', 'NotCollectionMember'],
    ['Workspace'],
  ],
  [
    'SectionRoot',
    'Folder',
    FOLDER,
    ['SuperSpace', 'HiddenInCreation', 'MasterPublishSpace', 'NotCollectionMember'],
    ['Section'],
  ],
  [
    'TemplateRoot',
    'Folder',
    FOLDER,
    ['SuperSpace', 'HiddenInCreation', 'NotCollectionMember'],
    ['Workspace'],
  ],
  [
    'Workspace',
    'Folder',
    [...FOLDER, 'file', 'webcontainer', 'publishing', 'files'],
    ['SuperSpace'],
    [...CONTENT, 'Workspace'],
  ],
  ['Section', 'Folder', [...FOLDER, 'file'], ['SuperSpace', 'PublishSpace'], ['Section']],
  [
    'File',
    'Document',
    ['common', 'file', 'dublincore', 'uid', 'files', 'relatedtext', 'facetedTag'],
    ['Downloadable', ...DOCUMENT, 'HasRelatedText', 'NXTag'],
    [],
  ],
  [
    'Note',
    'Document',
    ['common', 'note', 'uid', 'files', 'dublincore', 'relatedtext'],
    [...DOCUMENT, 'HasRelatedText'],
    [],
  ],
  ['Picture', 'Document', [...FOLDER, 'uid', 'file', 'picture', 'image_metadata'], ['Picture'], []],
  [
    'Video',
    'Document',
    [...FOLDER, 'uid', 'files', 'file', 'video', 'picture'],
    ['Video', 'HasStoryboard', 'HasVideoPreview'],
    [],
  ],
  ['Audio', 'Document', [...FOLDER, 'uid', 'file', 'audio'], ['Audio'], []],
  ['Collection', 'Document', [...FOLDER, 'uid', 'collection'], ['Collection', 'Versionable'], []],
])('%s is a %s with its schemas, facets and children', async (type, parent, wanted, facets, children) => {
  expect(types[type]?.parent).toBe(parent)
  expect(types[type]?.schemas).toEqual(expect.arrayContaining(wanted))
  expect(types[type]?.facets).toEqual(expect.arrayContaining(facets))
  const json = { 'entity-type': 'document', name: type, type }
  const made = await call('POST', '/api/v1/path/default-domain/workspaces', {
    json,
    headers: { 'enrichers-document': 'subtypes' },
  })
  const { subtypes } = made.json.contextParameters
  expect(subtypes.map((child: Entity) => child.type).toSorted()).toEqual(children.toSorted())
  expect(made.json.state).toBe('project')
})

test.each([
  ['/', 'Root', ''],
  ['/default-domain', 'Domain', 'Domain'],
  ['/default-domain/workspaces', 'WorkspaceRoot', 'Workspaces'],
  ['/default-domain/sections', 'SectionRoot', 'Sections'],
  ['/default-domain/templates', 'TemplateRoot', 'Templates'],
])('%s is there from the beginning, a %s called "%s"', async (path, type, title) => {
  expect((await call('GET', `/api/v1/path${path}`)).json).toMatchObject({ path, type, title })
})

test('members may ask for publishing, and everybody is a member', async () => {
  const { json } = await call('GET', '/api/v1/path/default-domain/sections/@acl')
  expect(json.acl[0].ace[0]).toMatchObject({
    username: 'members',
    permission: 'CanAskForPublishing',
    granted: true,
  })
})

test('workspaces have no ACL of their own: they inherit that of the root', async () => {
  const { json } = await call('GET', '/api/v1/path/default-domain/workspaces/@acl')
  const listed = json.acl.map(({ name, ace }: Entity) => [
    name,
    ace.map(({ username, permission, granted }: Entity) => `${username}:${permission}:${granted}`),
  ])
  expect(listed).toEqual([
    ['inherited', ['administrators:Everything:true', 'Administrator:Everything:true', 'members:Read:true']],
  ])
})

test.each(['administrators', 'members', 'powerusers'])('the group %s is there', async (name) => {
  expect((await call('GET', `/api/v1/group/${name}`)).status).toBe(200)
})
