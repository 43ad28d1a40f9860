import { expect, test } from 'vitest'
import { createTree } from '../../../storage/contract/content/tree.js'
import { CONTRACT_RULES } from '../../../storage/contract/rules/index.js'
import { openContentOn, openDatabase } from './contract/postgres.js'

const database = await openDatabase()
const tree = createTree(await openContentOn(database, CONTRACT_RULES))

test('large properties are compressed by lz4, which queries read quickly, where the server has it', async () => {
  const { id } = await tree.create(await tree.folder(), {
    properties: { 'dc:source': 'text '.repeat(50_000) },
  })
  const [row] = await database.sql`
    SELECT pg_column_compression(properties) AS way FROM documents WHERE id = ${id}`
  const [server] = await database.sql`
    SELECT 'lz4' = ANY (enumvals) AS "hasLz4" FROM pg_settings WHERE name = 'default_toast_compression'`
  expect(row?.way).toBe(server?.hasLz4 ? 'lz4' : 'pglz')
})
