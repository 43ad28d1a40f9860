import { z } from 'zod'
import { modelName } from '../../model/content-model/index.js'
import { defineExtensionPoint, withChildren } from '../../platform/contributions/index.js'

/** Contribution whose permissions are offered on every type. */
export const DEFAULT_VISIBLE = 'default'

/** What user interfaces offer to grant (reference: security.md §7): on every type, or more on one type. */
export const visiblePermissionsPoint = defineExtensionPoint({
  point: 'visiblePermissions',
  elements: {
    visible: {
      nameAttribute: 'type',
      defaultName: DEFAULT_VISIBLE,
      keys: { item: 'items', denyPermission: 'deny' },
      rewrite: (part) =>
        withChildren(part, (item) => {
          const { id: _, ...attributes } = item.attributes
          return { ...item, attributes }
        }),
    },
  },
  schema: z.strictObject({
    items: z
      .record(
        modelName,
        z.strictObject({
          order: z.number().int().optional().describe('Place in the list, lowest first'),
          show: z.boolean().optional().describe('false: not offered'),
          deny: modelName.optional().describe('What is denied instead of it'),
        }),
      )
      .describe('By permission'),
  }),
  references: ({ items }) =>
    Object.entries(items).flatMap(([name, { deny }]) => [
      { path: ['items', name], point: 'permissions', name },
      ...(deny === undefined ? [] : [{ path: ['items', name, 'deny'], point: 'permissions', name: deny }]),
    ]),
  check: (_, { name }) =>
    name === DEFAULT_VISIBLE || modelName.safeParse(name).success
      ? []
      : [{ path: [], message: "must be a document type or 'default'" }],
})
