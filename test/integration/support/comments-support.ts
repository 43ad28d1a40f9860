import type { DocumentRecord } from '../../../core/model/properties/index.js'
import { createIdentityStore } from '../../../storage/postgres/index.js'
import { ACES, createCollaborationBench, grant } from './collaboration-support.js'
import { addUser, type Entity } from './rest-client.js'

export const NOBODY = { username: 'Everyone', permission: 'Everything', granted: false }

export const textsOf = ({ entries }: Entity): string[] => entries.map(({ text }: Entity) => text)

/** The API with users: rita and ruth may read, will may write, olga holds everything, nick sees nothing. */
export const createCommentBench = async () => {
  const bench = await createCollaborationBench('commented')
  const { call, platform } = bench
  for (const user of ['rita', 'ruth', 'olga', 'nick']) await addUser(platform, user)
  await createIdentityStore(platform.database.sql).insertGroup({
    groupname: 'writers',
    label: null,
    description: null,
  })
  await addUser(platform, 'will', ['writers'])

  const comment = (id: string, text: unknown, user = 'rita', more: object = {}) =>
    call('POST', `/api/v1/id/${id}/@comment`, {
      user,
      json: { 'entity-type': 'comment', parentId: id, text, ...more },
    })

  return {
    ...bench,
    comment,
    made: async (id: string, text: string, user = 'rita', more: object = {}): Promise<Entity> => {
      const answer = await comment(id, text, user, more)
      if (answer.status !== 201) throw new Error(answer.text)
      return answer.json
    },
    list: async (id: string, query = '', user = 'rita') =>
      (await call('GET', `/api/v1/id/${id}/@comment${query}`, { user })).json,
    /** A new folder with those rights, and a file in it. */
    documents: async (): Promise<{ folder: DocumentRecord; file: DocumentRecord }> => {
      const folder = await bench.folder([...ACES, grant('rita', 'Read'), grant('ruth', 'Read'), NOBODY])
      return { folder, file: await bench.create(folder.id, 'File', 'file') }
    },
  }
}
