import { z } from 'zod'
import { defineExtensionPoint, type Finding, mergeAddingToLists } from '../contributions/index.js'
import { modelName } from './names.js'

type PermissionContent = z.output<typeof permissionContent>

const permissionContent = z.strictObject({
  includes: z.array(modelName).default([]).describe('Permissions that come with it'),
  onlyByName: z.boolean().default(false).describe('true: not even Everything grants it'),
})

/** Permissions. One without `includes` is atomic. */
export const permissionsPoint = defineExtensionPoint({
  point: 'permissions',
  schema: permissionContent,
  merge: mergeAddingToLists,
  references: ({ includes }) =>
    includes.map((name, index) => ({ path: ['includes', index], point: 'permissions', name })),
  check: (_, { name, all }) => cycle(name, all),
})

const cycle = (name: string, all: ReadonlyMap<string, PermissionContent>): Finding[] => {
  const seen = new Set<string>()
  const open = [...(all.get(name)?.includes ?? [])]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (next === name) return [{ path: ['includes'], message: 'includes itself' }]
    if (seen.has(next)) continue
    seen.add(next)
    open.push(...(all.get(next)?.includes ?? []))
  }
  return []
}
