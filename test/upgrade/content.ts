import type { CallOptions, Installation } from './installation.js'

/** Everything that the recording makes is below it. */
export const PLACE = '/default-domain/workspaces/upgrade'
const SECTIONS = '/default-domain/sections'

export type Entity = { uid: string; path: string; [field: string]: unknown }

/** A call that must succeed. @throws with the answer when it does not. */
export const must = async (
  { call }: Pick<Installation, 'call'>,
  path: string,
  options: CallOptions = {},
): Promise<Entity> => {
  const { status, text } = await call(path, options)
  if (status < 300) return text === '' ? ({} as Entity) : (JSON.parse(text) as Entity)
  throw new Error(`${options.method ?? 'GET'} ${path}: ${status} ${text}`)
}

/** What makes content, by the calls that clients make. */
export const writer = (installation: Installation) => {
  const send = (path: string, method: string, body: CallOptions['body'], options: CallOptions = {}) =>
    must(installation, path, { ...options, method, ...(body !== undefined && { body }) })
  return {
    send,
    make: (parent: string, type: string, name: string, properties: object = {}, options: CallOptions = {}) =>
      send(`path${parent}`, 'POST', { 'entity-type': 'document', type, name, properties }, options),
    change: (path: string, properties: object, options: CallOptions = {}) =>
      send(`path${path}`, 'PUT', { 'entity-type': 'document', properties }, options),
    operate: (operation: string, input: string | undefined, params: object, options: CallOptions = {}) =>
      send(
        `automation/${operation}`,
        'POST',
        { ...(input !== undefined && { input: `doc:${input}` }), params },
        options,
      ),
    deploy: (point: string, name: string, yaml: string) =>
      send(`contributions/${point}/${name}`, 'PUT', yaml, {
        headers: { 'content-type': 'application/yaml' },
      }),
  }
}

export type Writer = ReturnType<typeof writer>

const makeIdentities = async ({ send }: Writer): Promise<void> => {
  await send('group', 'POST', { 'entity-type': 'group', groupname: 'readers', grouplabel: 'Readers' })
  for (const [username, groups] of [
    ['ann', ['members', 'readers']],
    ['bob', ['members']],
  ] as const) {
    const properties = { username, firstName: username, password: 'of-the-upgrade-test', groups }
    await send('user', 'POST', { 'entity-type': 'user', id: username, properties })
  }
}

const makeDocuments = async ({ make, change }: Writer): Promise<void> => {
  await make('/default-domain/workspaces', 'Workspace', 'upgrade', { 'dc:title': 'Before the upgrade' })
  await make(PLACE, 'Folder', 'open', { 'dc:title': 'Open' })
  await make(PLACE, 'Folder', 'closed', { 'dc:title': 'Closed' })
  await make(`${PLACE}/closed`, 'Folder', 'inner', { 'dc:title': 'Inner' })
  await make(`${PLACE}/open`, 'Note', 'note', {
    'dc:title': 'Straße nach Orléans',
    'dc:subjects': ['art/cinema', 'sciences/physics'],
    'dc:coverage': 'europe/France',
    'dc:expired': '2099-12-31T23:59:59.000Z',
    'note:note': '<p>Grüße</p>',
    'note:mime_type': 'text/html',
  })
  for (const name of ['closed', 'closed/inner'])
    await make(`${PLACE}/${name}`, 'Note', 'secret', {
      'dc:title': `Secret of ${name}`,
      'note:note': 'secret',
    })
  await make(`${PLACE}/open`, 'File', 'file', {
    'dc:title': 'Windows',
    'file:content': { name: 'preis.txt', data: 'Fenster: 410,00 €\n' },
    'files:files': [{ file: { name: 'anhang.txt', data: 'Anhang\n' } }],
  })
  await make(`${PLACE}/open`, 'File', 'locked', { 'dc:title': 'Locked' })
  await make(`${PLACE}/open`, 'File', 'trashed', { 'dc:title': 'Trashed' })
  await make(`${PLACE}/open`, 'File', 'approved', { 'dc:title': 'Approved' })
  await change(`${PLACE}/open/note`, { 'dc:description': 'changed once' })
}

/** Local ACLs: one that shuts others out, one within its reach, and one with dates. */
const grantRights = async ({ operate }: Writer): Promise<void> => {
  const grant = (path: string, user: string, permission: string, more: object = {}) =>
    operate('Document.AddPermission', path, { users: [user], permission, ...more })
  await grant(PLACE, 'members', 'Read')
  await grant(`${PLACE}/open`, 'bob', 'ReadWrite')
  await operate('Document.BlockPermissionInheritance', `${PLACE}/closed`, {})
  await grant(`${PLACE}/closed`, 'readers', 'Read')
  await grant(`${PLACE}/closed/inner`, 'bob', 'Read', {
    begin: '2020-01-01T00:00:00Z',
    end: '2099-01-01T00:00:00Z',
  })
}

/** Versions, proxies, locks, life cycles, tags, comments, collections, a vocabulary. */
const makeStates = async ({ send, operate, make, change }: Writer): Promise<void> => {
  const [file, note] = [`${PLACE}/open/file`, `${PLACE}/open/note`]
  await operate('Document.CreateVersion', file, { increment: 'Major' })
  await change(file, { 'dc:title': 'Doors and windows' })
  await operate('Document.CreateVersion', file, { increment: 'Minor' })
  await change(file, { 'dc:title': 'Doors' })
  await make(SECTIONS, 'Section', 'news', { 'dc:title': 'News' })
  await operate('Document.PublishToSection', note, { target: `${SECTIONS}/news` })
  await operate('Document.Lock', `${PLACE}/open/locked`, {}, { user: 'bob' })
  await operate('Document.Trash', `${PLACE}/open/trashed`, {})
  await operate('Document.FollowLifecycleTransition', `${PLACE}/open/approved`, { value: 'approve' })
  await operate('Services.TagDocument', note, { tags: 'draft,paper' }, { user: 'ann' })
  const comment = { 'entity-type': 'comment', text: 'Which street?' }
  const { uid } = await send(`path${note}`, 'GET', undefined)
  await send(`id/${uid}/@comment`, 'POST', { ...comment, parentId: uid }, { user: 'ann' })
  const collection = await operate('Collection.Create', undefined, { name: 'Mine' }, { user: 'ann' })
  await operate('Document.AddToCollection', note, { collection: collection.uid }, { user: 'ann' })
  await send('directory/nature', 'POST', {
    'entity-type': 'directoryEntry',
    directoryName: 'nature',
    properties: { id: 'poem', label: 'Poem', obsolete: 0, ordering: 5 },
  })
  await send('search/saved', 'POST', {
    'entity-type': 'savedSearch',
    title: 'Notes',
    queryLanguage: 'NXQL',
    query: 'SELECT * FROM Note',
  })
}

/** A small deployment with something of every kind that the database keeps. */
export const populate = async (installation: Installation): Promise<void> => {
  const to = writer(installation)
  await makeIdentities(to)
  await makeDocuments(to)
  await grantRights(to)
  await makeStates(to)
}
