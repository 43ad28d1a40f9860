import { z } from 'zod'
import { bareMimeType } from '../../files/blobs/index.js'
import { type Contributions, defineExtensionPoint, withChildren } from '../../platform/contributions/index.js'
import { matchesStars } from '../../platform/patterns/index.js'

const content = z.strictObject({
  mimeTypes: z
    .array(z.string().min(1).max(200))
    .min(1)
    .describe('Mime types that it accepts; * stands for any text'),
  type: z.string().min(1).describe('The type of document that a file becomes'),
  order: z.number().int().default(100).describe('Those with a lower number are asked first'),
  note: z.boolean().default(false).describe('true: the document holds the text itself, as a note'),
  enabled: z.boolean().default(true),
})

/** The types of documents that imported files become; the name of a contribution only identifies it. */
export const fileImportersPoint = defineExtensionPoint({
  point: 'fileImporters',
  elements: {
    plugin: {
      keys: { filter: 'mimeTypes', docType: 'type' },
      ignored: ['merge'],
      rewrite: (part) => {
        const { class: implementation = '', ...attributes } = part.attributes
        const note: { note?: string } = /\bNote\w*$/.test(implementation) ? { note: 'true' } : {}
        return withChildren({ ...part, attributes: { ...attributes, ...note } }, (child) =>
          child.name === 'filter' ? { ...child, text: child.text.replaceAll('.*', '*') } : child,
        )
      },
    },
  },
  schema: content,
})

export type FileImporter = z.infer<typeof content>

/** The importer for a mime type; undefined when the deployment has none. */
export const importerFor = (contributions: Contributions, mimeType: string): FileImporter | undefined =>
  [...contributions.get(fileImportersPoint).values()]
    .filter(({ enabled }) => enabled)
    .sort((a, b) => a.order - b.order)
    .find(({ mimeTypes }) =>
      mimeTypes.some((pattern) => matchesStars(bareMimeType(mimeType), pattern.toLowerCase())),
    )
