import { z } from 'zod'
import {
  defineExtensionPoint,
  type Finding,
  newPart,
  withChildren,
} from '../../platform/contributions/index.js'
import { translate } from '../../platform/sandbox/expressions/index.js'
import { programOf } from './program.js'

/** Scripts that are asked before a file is downloaded, in the order of their names (reference: security.md §9). */
export const downloadPermissionsPoint = defineExtensionPoint({
  point: 'downloadPermissions',
  elements: {
    permission: {
      is: ({ children }) => children.some(({ name }) => name === 'script'),
      rewrite: (part) =>
        withChildren(part, (child) => {
          const { language } = child.attributes
          const script = { ...child, attributes: {} }
          return language === undefined ? script : [newPart('language', child, { text: language }), script]
        }),
    },
  },
  schema: z.strictObject({
    enabled: z.boolean().optional(),
    language: z.enum(['JavaScript']).optional(),
    script: z
      .string()
      .min(1)
      .optional()
      .describe(
        'Defines function run(), which answers false to refuse; sees Document, XPath, Blob, Reason, Infos, Rendition, CurrentUser',
      ),
  }),
  check: ({ script }) => (script === undefined ? [finding('is missing')] : problemsOf(script)),
})

const finding = (message: string): Finding => ({ path: ['script'], message })

const problemsOf = (script: string): Finding[] => {
  if (!/\bfunction\s+run\b|\brun\s*=/.test(script)) return [finding('defines no function run()')]
  try {
    translate(programOf(script))
    return []
  } catch (error) {
    return [finding(error instanceof Error ? error.message : String(error))]
  }
}
