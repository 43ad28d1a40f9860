import type { Principal } from '../../../core/access/security/index.js'
import type { DocumentRecord } from '../../../core/model/properties/index.js'
import { createCollaborationBench } from './collaboration-support.js'
import { input } from './operations-support.js'
import { addUser } from './rest-client.js'

/** Operations on collections, and rita, who may do what a test grants her. */
export const createCollectionBench = async () => {
  const bench = await createCollaborationBench('collected')
  const { run, call, platform } = bench
  await addUser(platform, 'rita')
  return {
    ...bench,
    add: (document: DocumentRecord, as: Principal, collection: string) =>
      run('Document.AddToCollection', { input: input(document), params: { collection }, as }),
    remove: (document: DocumentRecord, as: Principal, collection: string) =>
      run('Collection.RemoveFromCollection', { input: input(document), params: { collection }, as }),
    membersOf: async (document: { id: string }) =>
      ((await bench.read(document.id)).properties['collection:documentIds'] ?? []) as string[],
    marksOf: async (document: { id: string }) =>
      (await bench.read(document.id)).properties['collectionMember:collectionIds'],
    enriched: async (document: { id: string }, user = 'Administrator') =>
      (
        await call('GET', `/api/v1/id/${document.id}`, {
          user,
          headers: { 'enrichers-document': 'collections,favorites' },
        })
      ).json.contextParameters,
    /** A new folder with a collection, a file and a note. */
    documents: async () => {
      const folder = await bench.folder()
      return {
        folder,
        collection: await bench.create(folder.id, 'Collection', 'collection', { 'dc:title': 'Mine' }),
        file: await bench.create(folder.id, 'File', 'file'),
        note: await bench.create(folder.id, 'Note', 'note'),
      }
    },
  }
}
