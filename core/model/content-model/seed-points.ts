import { z } from 'zod'
import {
  type Contributions,
  defineExtensionPoint,
  type Finding,
  mergeAddingToLists,
} from '../../platform/contributions/index.js'
import { modelName } from './names.js'

/** One entry of a local ACL. */
export type SeedAce = { username: string; permission: string; granted: boolean }

const ace = z.union([
  z
    .strictObject({ grant: modelName, to: z.string().min(1) })
    .transform(({ grant, to }): SeedAce => ({ username: to, permission: grant, granted: true })),
  z
    .strictObject({ deny: modelName, to: z.string().min(1) })
    .transform(({ deny, to }): SeedAce => ({ username: to, permission: deny, granted: false })),
])

const documentContent = z.strictObject({
  type: modelName.optional(),
  properties: z.record(z.string(), z.unknown()).default({}).describe('By prefixed name, e.g. dc:title'),
  acl: z.array(ace).default([]).describe('Local permissions; the first that fits decides'),
})

/** Documents that a new repository starts with; the name of a contribution is the document's path. */
export const defaultContentPoint = defineExtensionPoint({
  point: 'defaultContent',
  isSeed: true,
  schema: documentContent,
  references: ({ type, acl }) => [
    ...(type === undefined ? [] : [{ path: ['type'], point: 'types', name: type }]),
    ...acl.map(({ permission, granted }, index) => ({
      path: ['acl', index, granted ? 'grant' : 'deny'],
      point: 'permissions',
      name: permission,
    })),
  ],
  check: ({ type }, { name, all }) => [
    ...(type === undefined ? [{ path: [], message: 'needs a "type"' }] : []),
    ...misplaced(name, all),
  ],
})

const misplaced = (path: string, all: ReadonlyMap<string, unknown>): Finding[] => {
  if (path === '/') return []
  if (!/^(\/[^/]+)+$/.test(path)) return [{ path: [], message: 'the name must be an absolute path' }]
  const parent = parentPath(path)
  return all.has(parent)
    ? []
    : [{ path: [], message: `its parent ${parent} is not among the default content` }]
}

const parentPath = (path: string): string => path.slice(0, Math.max(1, path.lastIndexOf('/')))

export type SeedDocument = {
  path: string
  type: string
  properties: Record<string, unknown>
  acl: readonly SeedAce[]
}

/** The default content, parents before children. */
export const defaultContentOf = (contributions: Contributions): SeedDocument[] =>
  [...contributions.get(defaultContentPoint)]
    .map(([path, { type, properties, acl }]) => ({ path, type: type!, properties, acl }))
    .sort((a, b) => depth(a.path) - depth(b.path))

const depth = (path: string): number => (path === '/' ? 0 : path.split('/').length - 1)

const groupContent = z.strictObject({
  label: z.string().optional(),
  description: z.string().optional(),
  members: z.array(z.string().min(1)).default([]).describe('Users'),
  groups: z.array(z.string().min(1)).default([]).describe('Groups whose members belong to it too'),
})

/** Groups that a new deployment starts with. */
export const groupsPoint = defineExtensionPoint({
  point: 'groups',
  isSeed: true,
  schema: groupContent,
  merge: mergeAddingToLists,
  references: ({ groups }) =>
    groups.map((name, index) => ({ path: ['groups', index], point: 'groups', name })),
})

const userContent = z.strictObject({
  firstName: z.string().optional(),
  lastName: z.string().optional(),
  email: z.string().optional(),
  company: z.string().optional(),
  groups: z.array(z.string().min(1)).default([]),
})

/** Users that a new deployment starts with. They cannot log in by password before they have one. */
export const usersPoint = defineExtensionPoint({
  point: 'users',
  isSeed: true,
  schema: userContent,
  merge: mergeAddingToLists,
  references: ({ groups }) =>
    groups.map((name, index) => ({ path: ['groups', index], point: 'groups', name })),
})
