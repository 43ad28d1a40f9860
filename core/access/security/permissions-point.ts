import { z } from 'zod'
import { modelName } from '../../model/content-model/index.js'
import { defineExtensionPoint, type Finding, mergeAddingToLists } from '../../platform/contributions/index.js'

type PermissionContent = z.output<typeof permissionContent>

const permissionContent = z.strictObject({
  includes: z.array(modelName).default([]).describe('Permissions that come with it'),
  removes: z
    .array(modelName)
    .default([])
    .describe('What an earlier contribution included and this one does not'),
  aliases: z.array(modelName).default([]).describe('Other names under which operations take it'),
  onlyByName: z.boolean().default(false).describe('true: not even Everything grants it'),
})

/** Permissions. One without `includes` is atomic. */
export const permissionsPoint = defineExtensionPoint({
  point: 'permissions',
  elements: {
    permission: {
      is: ({ children }) => children.every(({ name }) => name !== 'script'),
      keys: { include: 'includes', remove: 'removes', alias: 'aliases' },
    },
  },
  name: modelName,
  schema: permissionContent,
  merge: mergeAddingToLists,
  references: ({ includes, removes }) => [
    ...includes.map((name, index) => ({ path: ['includes', index], point: 'permissions', name })),
    ...removes.map((name, index) => ({ path: ['removes', index], point: 'permissions', name })),
  ],
  check: (_, { name, all }) => cycle(name, all),
})

/** What a permission includes after all contributions to it. */
export const includedBy = (content: Pick<PermissionContent, 'includes' | 'removes'> | undefined): string[] =>
  content ? content.includes.filter((name) => !content.removes.includes(name)) : []

const cycle = (name: string, all: ReadonlyMap<string, PermissionContent>): Finding[] => {
  const seen = new Set<string>()
  const open = includedBy(all.get(name))
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (next === name) return [{ path: ['includes'], message: 'includes itself' }]
    if (seen.has(next)) continue
    seen.add(next)
    open.push(...includedBy(all.get(next)))
  }
  return []
}
