import { PLACE } from './content.js'
import type { Installation } from './installation.js'

/** What is asked of an installation before its upgrade and after it, and answered alike. */
export type Question = { user: string; path: string; headers?: Record<string, string> }

const ENRICHED = {
  properties: '*',
  'enrichers-document': 'acls, tags, breadcrumb, permissions, collections, publications, children',
}

const nxql = (query: string): string => `search/lang/NXQL/execute?${new URLSearchParams({ query })}`

const INSIDE = `ecm:path STARTSWITH '${PLACE}'`

const documents = [
  '',
  '/open',
  '/open/note',
  '/open/file',
  '/open/locked',
  '/open/approved',
  '/closed',
  '/closed/secret',
  '/closed/inner/secret',
].map((path) => `path${PLACE}${path}`)

const searches = [
  `SELECT * FROM Document WHERE ${INSIDE} AND ecm:isVersion = 0 ORDER BY ecm:path`,
  `SELECT * FROM Document WHERE ${INSIDE} AND ecm:isTrashed = 1 ORDER BY ecm:path`,
  "SELECT * FROM Document WHERE ecm:fulltext = 'orleans' ORDER BY ecm:uuid",
  "SELECT * FROM Document WHERE ecm:tag = 'draft' AND ecm:isProxy = 0",
  "SELECT * FROM Document WHERE dc:subjects/* = 'sciences/physics' ORDER BY ecm:uuid",
  `SELECT * FROM Document WHERE ecm:isVersion = 1 AND ecm:primaryType = 'File' ORDER BY ecm:versionLabel`,
  `SELECT * FROM Document WHERE ecm:acl/*/principal = 'bob' ORDER BY ecm:path`,
  `SELECT * FROM Document WHERE ecm:lockOwner = 'bob'`,
].map(nxql)

const places = [
  `path${PLACE}/open/note/@comment`,
  `path${PLACE}/closed/inner/@acl`,
  `path${PLACE}/open/file/@blob/file:content`,
  `path${PLACE}/open/file/@blob/files:files/0/file`,
  `path/default-domain/sections/news/@children`,
  'user/ann',
  'user/bob',
  'group/readers',
  'directory/nature',
  'search/saved',
  'contributions/chains/mark',
  'contributions/chains/mark?versions=true',
]

/** Documents and searches as each sees them, and the rest as the administrator does. */
export const questions: readonly Question[] = [
  ...['Administrator', 'ann', 'bob'].flatMap((user) => [
    ...documents.map((path) => ({ user, path, headers: ENRICHED })),
    ...searches.map((path) => ({ user, path })),
  ]),
  ...places.map((path) => ({ user: 'Administrator', path })),
]

/** The status of an answer and what it holds, parsed where it is JSON. */
export type Answered = { status: number; content: unknown }

/** An entry of the file of answers. */
export type Exchange = { question: Question; answer: Answered }

export const ask = async ({ call }: Pick<Installation, 'call'>, question: Question): Promise<Answered> => {
  const { status, text, headers } = await call(question.path, question)
  const isJson = headers.get('content-type')?.includes('json') ?? false
  return { status, content: isJson ? (JSON.parse(text) as unknown) : text }
}
