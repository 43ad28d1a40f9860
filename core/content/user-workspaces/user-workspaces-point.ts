import { z } from 'zod'
import { type Contributions, defineExtensionPoint } from '../../platform/contributions/index.js'

const name = z
  .string()
  .regex(/^[^/\\]+$/, 'must be a name without slashes')
  .refine((text) => !text.startsWith('@'), 'must not start with @')

const ace = z.strictObject({ grant: z.string().min(1), to: z.string().min(1) })

const child = z.strictObject({
  type: z.string().min(1),
  properties: z.record(z.string(), z.unknown()).default({}).describe('By prefixed name, e.g. dc:title'),
})

const content = z.strictObject({
  domain: name.default('default-domain').describe('Name of the domain under the root'),
  root: z
    .strictObject({
      name: name.default('UserWorkspaces'),
      type: z.string().min(1).default('UserWorkspacesRoot'),
    })
    .prefault({})
    .describe('The folder of all user workspaces'),
  type: z.string().min(1).default('Workspace').describe('Type of a user workspace'),
  properties: z.record(z.string(), z.unknown()).default({}).describe('By prefixed name, e.g. dc:description'),
  acl: z.array(ace).default([]).describe('Permissions beside the owner, who has Everything'),
  children: z.record(name, child).default({}).describe('Documents that each workspace begins with, by name'),
})

/** How user workspaces are created (reference: security.md §12); the contribution `default` is the one in force. */
export const userWorkspacesPoint = defineExtensionPoint({
  point: 'userWorkspaces',
  elements: {
    userWorkspace: {
      defaultName: 'default',
      keys: {
        ...{ userWorkspaceRootType: 'root.type', userWorkspaceRootName: 'root.name' },
        ...{ userWorkspaceType: 'type' },
      },
    },
  },
  schema: content,
  references: ({ root, type, acl, children }) => [
    { path: ['root', 'type'], point: 'types', name: root.type },
    { path: ['type'], point: 'types', name: type },
    ...Object.entries(children).map(([key, { type: childType }]) => ({
      path: ['children', key, 'type'],
      point: 'types',
      name: childType,
    })),
    ...acl.map(({ grant }, index) => ({ path: ['acl', index, 'grant'], point: 'permissions', name: grant })),
  ],
  check: (_, { name: contribution }) =>
    contribution === 'default'
      ? []
      : [{ path: [], message: 'only "default" says how user workspaces are made', onKey: true }],
})

export type UserWorkspaceRules = z.output<typeof content>

/** The rules in force; the product's own where a deployment removed them. */
export const userWorkspaceRules = (contributions: Contributions): UserWorkspaceRules =>
  contributions.get(userWorkspacesPoint).get('default') ?? content.parse({})
