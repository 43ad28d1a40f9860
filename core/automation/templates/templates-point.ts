import { z } from 'zod'
import { type Contributions, defineExtensionPoint } from '../../platform/contributions/index.js'
import { isArchivoltError } from '../../platform/errors/index.js'
import { compileTemplate, MAX_TEMPLATE_CHARACTERS } from './compile.js'

const content = z.strictObject({
  text: z.string().max(MAX_TEMPLATE_CHARACTERS).describe('The template itself'),
  type: z.enum(['ftl', 'mvel']).default('ftl').describe('ftl: FreeMarker; mvel: text with @{expressions}'),
  description: z.string().optional(),
})

export type Template = z.output<typeof content>

/** Templates that mails and `Render.Document` name by `template:<name>`. */
export const templatesPoint = defineExtensionPoint({
  point: 'templates',
  elements: { template: { text: 'text' } },
  schema: content,
  check: ({ text, type }, { all }) => {
    try {
      compileTemplate(text, { type, find: (name) => all.get(name)?.text })
      return []
    } catch (error) {
      if (!isArchivoltError(error)) throw error
      return [{ path: ['text'], message: error.message.replace(/^template: /, '') }]
    }
  },
})

/** The text of a deployed template, for `<#include>`. */
export const templateFinder =
  (contributions: Contributions) =>
  (name: string): string | undefined =>
    contributions.get(templatesPoint).get(name)?.text
