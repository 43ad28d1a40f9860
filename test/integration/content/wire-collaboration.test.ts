import type Nuxeo from 'nuxeo'
import { beforeAll, expect, test } from 'vitest'
import { createWire, refusalOf, WORKSPACES } from '../support/wire-support.js'

const { client, newUser } = await createWire()
const ROOT = `${WORKSPACES}/collaboration`
let reader: Nuxeo
let file: Nuxeo.Document

beforeAll(async () => {
  reader = await newUser('reader', ['members'])
  const repository = client().repository({ schemas: ['dublincore'] })
  await repository.create(WORKSPACES, { type: 'Workspace', name: 'collaboration' })
  file = await repository.create(ROOT, { type: 'File', name: 'file', properties: { 'dc:title': 'File' } })
})

type Entries = { entries: Nuxeo.Document[]; resultsCount?: number; totalSize?: number }

const enriched = (by: Nuxeo, ...names: string[]) =>
  by.repository().enrichers({ document: names }).fetch(file.uid)

test('tags: put on, shown, suggested, found, taken off', async () => {
  await reader.operation('Services.TagDocument').input(file).params({ tags: 'Wire,Two Words' }).execute()
  expect((await enriched(reader, 'tags')).contextParameters.tags).toEqual(['twowords', 'wire'])
  const suggested = await reader.operation('Tag.Suggestion').params({ searchTerm: 'wi' }).execute<unknown>()
  const rows =
    suggested instanceof Response || 'json' in (suggested as object)
      ? await (suggested as Response).json()
      : suggested
  expect(rows).toEqual([{ id: 'wire', displayLabel: 'wire' }])
  await reader.operation('Services.UntagDocument').input(file).params({ tags: 'wire' }).execute()
  await client().operation('Services.RemoveDocumentTags').input(file).execute()
  expect((await enriched(reader, 'tags')).contextParameters.tags).toEqual([])
})

test('collections, from the void to the enricher and back', async () => {
  expect(file.isCollectable()).toBe(true)
  const collection = await reader
    .operation('Collection.Create')
    .params({ name: 'Wired', description: 'By the client' })
    .execute()
  expect([collection.type, collection.hasFacet('Collection')]).toEqual(['Collection', true])
  const member = await reader
    .operation('Document.AddToCollection')
    .input(file)
    .params({ collection: collection.uid })
    .execute()
  expect(member.hasFacet('CollectionMember')).toBe(true)
  const listed = await reader
    .operation('Collection.GetDocumentsFromCollection')
    .input(collection)
    .execute<Entries>()
  expect(listed.entries.map(({ uid }) => uid)).toEqual([file.uid])
  expect((await enriched(reader, 'collections')).contextParameters.collections).toMatchObject([
    { uid: collection.uid, title: 'Wired' },
  ])
  const found = await reader.operation('User.GetCollections').params({ searchTerm: 'wir' }).execute<Entries>()
  expect(found.entries.map(({ uid }) => uid)).toEqual([collection.uid])
  await reader
    .operation('Collection.RemoveFromCollection')
    .input(`docs:${file.uid}`)
    .params({ collection: collection.uid })
    .execute()
  expect((await enriched(reader, 'collections')).contextParameters.collections).toEqual([])
  await expect(
    refusalOf(
      client().operation('Document.AddToCollection').input(ROOT).params({ collection: file.uid }).execute(),
    ),
  ).resolves.toMatchObject({ status: 400, entity: { 'entity-type': 'exception' } })
})

test('favourites in the user workspace', async () => {
  await reader.operation('Document.AddToFavorites').input(file).execute()
  expect((await enriched(reader, 'favorites')).contextParameters.favorites).toEqual({ isFavorite: true })
  expect((await enriched(client(), 'favorites')).contextParameters.favorites).toEqual({ isFavorite: false })
  const favorites = await reader.operation('Favorite.Fetch').execute()
  const home = await reader.operation('User.GetUserWorkspace').execute()
  expect(favorites.path).toBe(`${home.path}/Favorites`)
  const listed = await reader.operation('Favorite.GetDocuments').input(favorites).execute<Entries>()
  expect(listed.entries.map(({ uid }) => uid)).toEqual([file.uid])
  await reader.operation('Document.RemoveFromFavorites').input(file).execute()
  expect((await enriched(reader, 'favorites')).contextParameters.favorites).toEqual({ isFavorite: false })
})

test('subscriptions', async () => {
  await reader
    .operation('Document.Subscribe')
    .input(file)
    .params({ notifications: ['Modification'] })
    .execute()
  const { subscribedNotifications } = (await enriched(reader, 'subscribedNotifications')).contextParameters
  expect(subscribedNotifications).toEqual(['Modification'])
  const after = await reader.operation('Document.Unsubscribe').input(file).execute()
  expect(after.hasFacet('Notifiable')).toBe(true)
})

test('comments by plain requests', async () => {
  const at = (path: string, by = reader) => by.request(`id/${file.uid}/@comment${path}`)
  type Comment = { id: string; text: string; author: string; numberOfReplies?: number }
  const made = await at('').post<Comment>({
    body: { 'entity-type': 'comment', parentId: file.uid, text: 'Wired' },
  })
  expect(made).toMatchObject({ text: 'Wired', author: 'reader' })
  await client()
    .request(`id/${made.id}/@comment`)
    .post({ body: { 'entity-type': 'comment', parentId: made.id, text: 'Reply' } })
  const page = await at('')
    .queryParams({ pageSize: 10, currentPageIndex: 0 })
    .fetchProperty('comment', 'repliesSummary')
    .get<{ entries: Comment[]; totalSize: number }>()
  expect(page).toMatchObject({ totalSize: 1, entries: [{ id: made.id, numberOfReplies: 1 }] })
  const changed = await at(`/${made.id}`).put<Comment>({
    body: { 'entity-type': 'comment', text: 'Rewired' },
  })
  expect(changed.text).toBe('Rewired')
  await reader.request(`id/${made.id}`).delete()
  expect((await at('').get<{ totalSize: number }>()).totalSize).toBe(0)
})
