import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { buildPermissionModel, securityPoints } from '../../core/access/security/index.js'
import { knownNamesRegistry, unknownInProvider } from '../../core/automation/lint/index.js'
import { convertersPoint, createConverterRegistry } from '../../core/files/conversions/index.js'
import {
  buildContentModel,
  contentModelPoints,
  defaultContentOf,
  groupsPoint,
} from '../../core/model/content-model/index.js'
import {
  type ExtensionPoint,
  jsonSchemaOf,
  jsonSchemaOfFile,
  mergeContributions,
  readConfiguration,
} from '../../core/platform/contributions/index.js'
import { pageProvidersPoint } from '../../core/search/page-providers/index.js'

const CONFIG = fileURLToPath(new URL('../../config', import.meta.url))

/** Points that other rooms declare have files in the folder too; their content is not this test's matter. */
const otherPoints = (): ExtensionPoint[] => {
  const keys = readdirSync(CONFIG)
    .filter((file) => file.endsWith('.yaml'))
    .flatMap((file) => Object.keys(parse(readFileSync(`${CONFIG}/${file}`, 'utf8')) as object))
  const own = [...contentModelPoints, ...securityPoints, convertersPoint, pageProvidersPoint].map(
    ({ point }) => point,
  )
  return [...new Set(keys)]
    .filter((key) => !own.includes(key))
    .map((point) => ({ point, schema: z.unknown() }))
}

const contributions = mergeContributions(await readConfiguration([CONFIG]), [
  ...contentModelPoints,
  ...securityPoints,
  convertersPoint,
  pageProvidersPoint,
  ...otherPoints(),
])
const model = buildContentModel(contributions)
const permissions = buildPermissionModel(contributions)

describe('the default document types', () => {
  test.each([
    ['File', ['common', 'file', 'dublincore', 'uid', 'files', 'relatedtext', 'facetedTag']],
    ['Note', ['common', 'note', 'uid', 'files', 'dublincore', 'relatedtext']],
    ['Folder', ['common', 'dublincore']],
    ['Domain', ['common', 'dublincore', 'domain']],
    ['Workspace', ['common', 'dublincore', 'file', 'webcontainer', 'publishing', 'files']],
    ['Section', ['common', 'dublincore', 'file']],
    ['Picture', ['common', 'uid', 'dublincore', 'file', 'picture', 'image_metadata', 'facetedTag']],
    ['Video', ['common', 'dublincore', 'uid', 'files', 'file', 'video', 'picture', 'facetedTag']],
    ['Audio', ['common', 'dublincore', 'uid', 'file', 'audio', 'facetedTag']],
    ['Collection', ['uid', 'dublincore', 'common', 'collection']],
    ['DefaultRelation', ['relation', 'dublincore']],
    ['SavedSearch', ['dublincore', 'saved_search']],
    ['Document', []],
  ])('%s has its schemas', (type, schemas) => {
    expect([...model.types.get(type)!.schemas].sort()).toEqual([...schemas].sort())
  })

  test.each([
    ['Folder', 'Document', ['Folderish']],
    ['OrderedFolder', 'Folder', ['Folderish', 'Orderable']],
    ['Root', 'Folder', ['Folderish', 'NotCollectionMember']],
    [
      'SectionRoot',
      'Folder',
      ['Folderish', 'SuperSpace', 'HiddenInCreation', 'MasterPublishSpace', 'NotCollectionMember'],
    ],
    ['Section', 'Folder', ['Folderish', 'SuperSpace', 'PublishSpace']],
    [
      'File',
      'Document',
      ['Downloadable', 'Versionable', 'Publishable', 'Commentable', 'HasRelatedText', 'NXTag'],
    ],
    ['Document', null, []],
  ])('%s extends %s', (type, parent, facets) => {
    expect(model.types.get(type)).toMatchObject({ parent, facets, lifecycle: 'default' })
  })

  test('only the base type is abstract', () => {
    expect([...model.types.values()].filter(({ isAbstract }) => isAbstract).map(({ name }) => name)).toEqual([
      'Document',
    ])
  })

  test('a type offers its own children, or those of the type it extends', () => {
    expect(model.types.get('Domain')!.allowedChildren).toEqual([
      'WorkspaceRoot',
      'SectionRoot',
      'TemplateRoot',
    ])
    expect(model.types.get('OrderedFolder')!.allowedChildren).toEqual(
      model.types.get('Folder')!.allowedChildren,
    )
  })
})

test('page providers name properties and types that there are', () => {
  const names = knownNamesRegistry.build(contributions, { get: () => model as never })
  const providers = contributions.get(pageProvidersPoint)
  const found = [...providers].flatMap(([name, provider]) =>
    unknownInProvider(provider, names).map(({ path, message }) => `${name} ${path.join('.')}: ${message}`),
  )
  expect(providers.size).toBeGreaterThan(20)
  expect(found).toEqual([])
})

test('the default life cycle has the transitions of the reference platform', () => {
  const { initial, states, transitions } = model.lifecycles.get('default')!
  expect(initial).toBe('project')
  const paths = [...states.values()].flatMap(({ name, transitions: leaving }) =>
    leaving.map((transition) => `${name} -${transition}> ${transitions.get(transition)!.to}`),
  )
  expect(paths.sort()).toEqual([
    'approved -backToProject> project',
    'approved -delete> deleted',
    'deleted -undelete> project',
    'obsolete -backToProject> project',
    'obsolete -delete> deleted',
    'project -approve> approved',
    'project -delete> deleted',
    'project -obsolete> obsolete',
  ])
})

describe('the default permissions', () => {
  test.each([
    [
      'Browse',
      [
        'Browse',
        'ReadProperties',
        'Read',
        'ReadRemove',
        'ReadWrite',
        'ReadCanCollect',
        'DataVisualization',
        'Everything',
      ],
    ],
    [
      'WriteProperties',
      ['WriteProperties', 'WriteVersion', 'Version', 'Write', 'ReadWrite', 'ReadCanCollect', 'Everything'],
    ],
    ['RemoveChildren', ['RemoveChildren', 'Remove', 'ReadRemove', 'Write', 'ReadWrite', 'Everything']],
    [
      'WriteLifeCycle',
      ['WriteLifeCycle', 'Remove', 'ReadRemove', 'Write', 'ReadWrite', 'Comment', 'Everything'],
    ],
    ['WriteSecurity', ['WriteSecurity', 'Everything']],
    ['Everything', ['Everything']],
    ['RestrictedRead', ['RestrictedRead']],
    ['Unheard', ['Unheard', 'Everything']],
  ])('%s is granted by', (permission, accepted) => {
    expect([...permissions.accepted(permission)].sort()).toEqual([...accepted].sort())
  })

  test('all are known by name', () => {
    expect(permissions.known).toHaveLength(28)
    expect(permissions.known).toContain('ManageWorkflows')
  })
})

test('the default content lists parents before children, with their ACLs', () => {
  const content = defaultContentOf(contributions)
  expect(content.map(({ path, type }) => `${path} ${type}`)).toEqual([
    '/ Root',
    '/default-domain Domain',
    '/default-domain/workspaces WorkspaceRoot',
    '/default-domain/sections SectionRoot',
    '/default-domain/templates TemplateRoot',
  ])
  expect(content[0]!.acl).toEqual([
    { username: 'administrators', permission: 'Everything', granted: true },
    { username: 'Administrator', permission: 'Everything', granted: true },
    { username: 'members', permission: 'Read', granted: true },
  ])
  expect(content[1]!.properties).toEqual({ 'dc:title': 'Domain' })
})

test('the default groups are there', () => {
  expect([...contributions.get(groupsPoint).keys()]).toEqual(['administrators', 'members', 'powerusers'])
})

test.each([...contentModelPoints, ...securityPoints])(
  'the JSON Schema of $point can be published',
  (point) => {
    const schema = jsonSchemaOf(point)
    expect(schema.type).toBe('object')
    expect(schema.properties).toHaveProperty('remove')
    expect(JSON.stringify(jsonSchemaOfFile([{ point: point.point, schema }]))).toContain(
      `"urn:archivolt:extension-point:${point.point}"`,
    )
  },
)

test('the default converters are documented with their parameters', () => {
  const page = readFileSync(fileURLToPath(new URL('../../docs/rest.md', import.meta.url)), 'utf8')
  const [, table = ''] = page.split('| converters | parameters |')
  const rows = table.slice(0, table.indexOf('\n\n')).split('\n').slice(2)
  const namesIn = (cell = '') => [...cell.matchAll(/`(\w+)`/g)].map(([, name]) => name)
  const documented = rows.flatMap((row) => {
    const [, converters, parameters] = row.split('|')
    return namesIn(converters).map((name) => [name, namesIn(parameters)] as const)
  })
  const registry = createConverterRegistry(contributions.get(convertersPoint), {
    find: (name) => name,
    findProgram: (name) => name,
  })
  const listed = registry.list().map(({ name, parameters }) => [name, parameters.map((each) => each.name)])
  expect(Object.fromEntries(documented)).toEqual(Object.fromEntries(listed))
})
