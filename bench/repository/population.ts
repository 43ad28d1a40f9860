/**
 * The documents that are generated: a deep tree of folders under `/bench`, a department for each group, whose members
 * alone may read it, with folders inside that are open to another group as well.
 */
import { type Chance, createChance } from './random.js'

export const GROUPS = 200
export const USERS = 10_000
/** Documents of a folder beside its subfolders. */
const LEAVES = 19
const SUBFOLDERS = 3
/** Every so many folders of a department are open to another group. */
const OPENED = 25

export const groupName = (index: number): string => `bench-group-${index}`
export const userName = (index: number): string => `bench-user-${index}`

export type Folder = {
  id: string
  parentId: string
  name: string
  path: string
  department: number
  /** The group that its ACL opens it to, if it has one. */
  opensTo: string | undefined
}

/** Ids that are the same in each run: a prefix and a counter. */
const idOf = (kind: number, index: number): string =>
  `00000000-0000-4000-a${kind.toString(16).padStart(3, '0')}-${index.toString(16).padStart(12, '0')}`

/** The folders of all departments, parents first. */
export const foldersOf = (documents: number, root: { id: string; path: string }): Folder[] => {
  const chance = createChance(1)
  const perDepartment = Math.max(1, Math.round(documents / GROUPS / (LEAVES + 1)))
  const folders: Folder[] = []
  for (let department = 0; department < GROUPS; department++) {
    const own: Folder[] = []
    for (let index = 0; index < perDepartment; index++) {
      const parent = index === 0 ? root : own[Math.floor((index - 1) / SUBFOLDERS)]!
      const name = index === 0 ? `department-${department}` : `folder-${index}`
      own.push({
        id: idOf(1, folders.length + index),
        parentId: parent.id,
        name,
        path: `${parent.path}/${name}`,
        department,
        opensTo:
          index % OPENED === 0 ? groupName(index === 0 ? department : chance.below(GROUPS)) : undefined,
      })
    }
    folders.push(...own)
  }
  return folders
}

export const NATURES = ['report', 'memo', 'contract', 'invoice', 'letter', 'minutes', 'plan', 'note']
export const SUBJECTS = [
  'art/comics',
  'art/music',
  'law/civil',
  'law/public',
  'science/biology',
  'science/physics',
  'sport',
  'travel',
]
const STATES = ['project', 'project', 'approved', 'obsolete']
/** Common words first: the word at a place is about as rare as its place. */
export const WORDS = Array.from({ length: 2_000 }, (_, index) => `word${index.toString(36)}`)

const wordOf = (chance: Chance): string =>
  WORDS[Math.floor(chance.below(WORDS.length) * (chance.below(1_000) / 1_000))]!
const text = (chance: Chance, words: number): string =>
  Array.from({ length: words }, () => wordOf(chance)).join(' ')

const FIRST_DAY = Date.parse('2015-01-01T00:00:00.000Z')
const TEN_YEARS = 10 * 365 * 24 * 3_600

export type Leaf = {
  id: string
  folder: Folder
  name: string
  type: 'File' | 'Note'
  state: string
  properties: { [name: string]: unknown }
}

/** The leaves of a folder. */
export const leavesOf = (folder: Folder, folderIndex: number): Leaf[] =>
  Array.from({ length: LEAVES }, (_, position) => {
    const index = folderIndex * LEAVES + position
    const chance = createChance(index + 2)
    const created = FIRST_DAY + chance.below(TEN_YEARS) * 1_000
    const modified = created + chance.below(30 * 24 * 3_600) * 1_000
    const creator = userName(chance.below(USERS))
    const isNote = chance.happens(0.1)
    return {
      id: idOf(2, index),
      folder,
      name: `document-${position}`,
      type: isNote ? 'Note' : 'File',
      state: chance.pick(STATES),
      properties: {
        'dc:title': `${text(chance, 3)} ${index}`,
        'dc:description': text(chance, 12),
        'dc:creator': creator,
        'dc:lastContributor': creator,
        'dc:contributors': [creator],
        'dc:created': new Date(created).toISOString(),
        'dc:modified': new Date(modified).toISOString(),
        'dc:nature': chance.pick(NATURES),
        'dc:subjects': Array.from({ length: chance.below(4) }, () => chance.pick(SUBJECTS)),
        'uid:major_version': 0,
        'uid:minor_version': 0,
        ...(isNote
          ? { 'note:note': text(chance, 40), 'note:mime_type': 'text/plain' }
          : { 'file:content': contentOf(index, chance) }),
      },
    }
  })

const contentOf = (index: number, chance: Chance) => ({
  name: `document-${index}.pdf`,
  'mime-type': 'application/pdf',
  encoding: null,
  digestAlgorithm: 'SHA-256',
  digest: index.toString(16).padStart(64, '0'),
  length: chance.below(5_000_000),
})
