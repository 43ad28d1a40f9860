/** Ten shapes of queries, each with the SQL that somebody would write by hand for the same answer. */
import { type Folder, NATURES, SUBJECTS, USERS, userName, WORDS } from './population.js'
import type { Chance } from './random.js'

export type Shape = {
  name: string
  /** A query and the same conditions as SQL over `documents d`, whose parameters begin at `$2`. */
  make(
    chance: Chance,
    folders: readonly Folder[],
  ): { nxql: string; where: string; order: string; values: unknown[] }
  /** Where nothing else narrows much, the scopes that may be read do: written as an array, they join an index scan. */
  isBroad?: boolean
}

const date = (chance: Chance): Date =>
  new Date(Date.parse('2015-01-01T00:00:00.000Z') + chance.below(3_600) * 86_400_000)

export const SHAPES: readonly Shape[] = [
  {
    name: 'children by title',
    make: (chance, folders) => {
      const { id } = chance.pick(folders)
      return {
        nxql: `SELECT * FROM Document WHERE ecm:parentId = '${id}' ORDER BY dc:title`,
        where: 'd.parent_id = $2',
        order: `d.properties ->> 'dc:title', d.id`,
        values: [id],
      }
    },
  },
  {
    name: 'subtree by type',
    make: (chance, folders) => {
      const { path } = chance.pick(folders)
      return {
        nxql: `SELECT * FROM Note WHERE ecm:path STARTSWITH '${path}'`,
        where: `d.path > $2 AND d.path < $3 AND d.type = 'Note'`,
        order: 'd.id',
        values: [`${path}/`, `${path}0`],
      }
    },
  },
  {
    name: 'newest of a type',
    isBroad: true,
    make: () => ({
      nxql: 'SELECT * FROM Note WHERE ecm:isVersion = 0 ORDER BY dc:modified DESC',
      where: `d.type = 'Note' AND NOT d.is_version`,
      order: `(d.properties ->> 'dc:modified') COLLATE "C" DESC, d.id`,
      values: [],
    }),
  },
  {
    name: 'equality of a property',
    make: (chance) => {
      const creator = userName(chance.below(USERS))
      return {
        nxql: `SELECT * FROM Document WHERE dc:creator = '${creator}'`,
        where: `d.properties @> $2`,
        order: 'd.id',
        values: [{ 'dc:creator': creator }],
      }
    },
  },
  {
    name: 'member of a list and property',
    isBroad: true,
    make: (chance) => {
      const subject = chance.pick(SUBJECTS)
      const nature = chance.pick(NATURES)
      return {
        nxql: `SELECT * FROM Document WHERE dc:subjects = '${subject}' AND dc:nature = '${nature}'`,
        where: `d.properties @> $2`,
        order: 'd.id',
        values: [{ 'dc:subjects': [subject], 'dc:nature': nature }],
      }
    },
  },
  {
    name: 'a day by date',
    make: (chance) => {
      const from = date(chance)
      const to = new Date(from.getTime() + 86_400_000)
      return {
        nxql: `SELECT * FROM Document WHERE dc:modified BETWEEN TIMESTAMP '${from.toISOString()}' AND TIMESTAMP '${to.toISOString()}' ORDER BY dc:modified`,
        where: `(d.properties ->> 'dc:modified') COLLATE "C" BETWEEN $2 AND $3`,
        order: `(d.properties ->> 'dc:modified') COLLATE "C", d.id`,
        values: [from.toISOString(), to.toISOString()],
      }
    },
  },
  {
    name: 'beginning of a title',
    make: (chance) => {
      const beginning = `${WORDS[chance.below(WORDS.length)]} ${WORDS[chance.below(20)]}`
      return {
        nxql: `SELECT * FROM Document WHERE dc:title LIKE '${beginning}%'`,
        where: `left(d.properties ->> 'dc:title', 200) COLLATE "C" >= $2 AND left(d.properties ->> 'dc:title', 200) COLLATE "C" < $3`,
        order: 'd.id',
        values: [beginning, `${beginning}\u{10FFFF}`],
      }
    },
  },
  {
    name: 'words',
    make: (chance) => {
      const words = [WORDS[1_000 + chance.below(1_000)]!, WORDS[chance.below(50)]!]
      return {
        nxql: `SELECT * FROM Document WHERE ecm:fulltext = '${words.join(' ')}'`,
        where: `d.id IN (SELECT t.document_id FROM document_texts t WHERE t.words @@ to_tsquery('simple', $2))`,
        order: `(SELECT ts_rank(t.words, to_tsquery('simple', $2), 1) FROM document_texts t WHERE t.document_id = d.id) DESC, d.id`,
        values: [words.join(' & ')],
      }
    },
  },
  {
    name: 'big files under a folder',
    make: (chance, folders) => {
      const { path } = chance.pick(folders)
      return {
        nxql: `SELECT * FROM File WHERE ecm:path STARTSWITH '${path}' AND file:content/length > 4000000 AND ecm:currentLifeCycleState = 'approved'`,
        where: `d.path > $2 AND d.path < $3 AND d.type = 'File' AND (d.properties #>> '{file:content,length}')::numeric > 4000000 AND d.lifecycle_state = 'approved'`,
        order: 'd.id',
        values: [`${path}/`, `${path}0`],
      }
    },
  },
  {
    name: 'several ids',
    make: (chance, folders) => {
      const ids = Array.from({ length: 20 }, () => chance.pick(folders).id)
      return {
        nxql: `SELECT * FROM Document WHERE ecm:uuid IN (${ids.map((id) => `'${id}'`).join(', ')})`,
        where: 'd.id = ANY ($2)',
        order: 'd.id',
        values: [ids],
      }
    },
  },
]

/** Results that are counted; beyond, a page says that there are more. */
export const COUNTED = 1_000
export const PAGE = 50

/** The page and the count of a shape, written by hand, with the rights of a principal in the better of two forms. */
export const handwritten = (
  { isBroad = false }: Shape,
  { where, order }: { where: string; order: string },
): { page: string; count: string } => {
  const scopes = 'SELECT s.id FROM acl_scopes s JOIN acls a ON a.id = s.acl_id WHERE a.browsers && $1'
  const readable = isBroad ? `= ANY (ARRAY(${scopes}))` : `IN (${scopes})`
  const from = `FROM documents d WHERE ${where} AND d.scope_id ${readable}`
  return {
    page: `SELECT d.* ${from} ORDER BY ${order} LIMIT ${PAGE}`,
    count: `SELECT count(*) AS count FROM (SELECT 1 ${from} LIMIT ${COUNTED + 1}) AS counted`,
  }
}
