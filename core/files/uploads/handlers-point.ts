import { z } from 'zod'
import { type Contributions, defineExtensionPoint } from '../../platform/contributions/index.js'

const content = z.strictObject({
  transientStore: z.string().min(1).describe('The transient store that keeps the batches'),
})

/** What takes batches of uploads, by name (blobs-conversions.md §1). */
export const uploadHandlersPoint = defineExtensionPoint({
  point: 'uploadHandlers',
  elements: {
    batchHandler: {
      rewrite: ({ attributes: { class: _, ...attributes }, children, ...part }) => ({
        ...part,
        attributes: {
          ...attributes,
          ...Object.fromEntries(
            children
              .filter(({ name }) => name === 'property')
              .map((property) => [property.attributes.name ?? '', property.text.trim()]),
          ),
        },
        children: [],
      }),
    },
  },
  schema: content,
})

/** The one that takes batches which name none. */
export const DEFAULT_HANDLER = 'default'

/** Names of all handlers; the default one first, as clients take the first. */
export const uploadHandlers = (contributions: Contributions): string[] => {
  const names = [...contributions.get(uploadHandlersPoint).keys()]
  return [DEFAULT_HANDLER, ...names.filter((name) => name !== DEFAULT_HANDLER)]
}

/** The transient store of a handler; undefined for an unknown one. */
export const storeOfHandler = (contributions: Contributions, handler: string): string | undefined =>
  contributions.get(uploadHandlersPoint).get(handler)?.transientStore ??
  (handler === DEFAULT_HANDLER ? 'BatchManagerCache' : undefined)
