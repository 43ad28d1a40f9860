import type { ErrorDetail } from '../../errors/index.js'
import { mergeAddingToLists } from '../configuration/merge-content.js'
import type { JsonSchema } from '../yaml/json-schema.js'
import { extended } from './component-elements.js'
import { type ElementForms, formOf, nameOfPart } from './element-form.js'
import { parseXml } from './elements.js'
import { plainContent } from './plain-content.js'
import { createReport, type Report } from './report.js'
import { partOf, type XmlPart } from './xml-part.js'

const partsIn = (text: string, elements: ElementForms, report: Report): readonly XmlPart[] => {
  const root = parseXml(text, report)
  if (!root) return []
  const names = Object.keys(elements)
  const found = extended(root, names, report) ?? (names.includes(root.nodeName) ? [root] : [])
  return found.map(partOf)
}

/**
 * The content of one contribution as the incumbent writes it: an element, or an extension with all that are about it.
 *
 * @param schema what the content may hold, as JSON Schema.
 */
export const readElements = (
  { name, text }: { name: string; text: string },
  { elements, schema }: { elements: ElementForms; schema: JsonSchema },
): { content?: object; problems: readonly ErrorDetail[] } => {
  const { report, problems } = createReport()
  const contents = partsIn(text, elements, report).map((part) => {
    const form = formOf(elements, part)
    if (!form) {
      report('', part.at, `<${part.name}> is not of this extension point`)
      return {}
    }
    const { name: own, rest } = nameOfPart(part, form)
    if (own !== '' && own !== name)
      report('', part.at, `it is deployed as "${name}", but calls itself "${own}"`)
    if (form.read) return form.read(rest, report)
    return plainContent(form.rewrite?.(rest) ?? rest, schema, { ...form, report })
  })
  if (contents.length === 0 && problems.length === 0)
    report('', { line: 1, column: 1 }, `expected the element <${Object.keys(elements).join('> or <')}>`)
  return problems.length > 0
    ? { problems }
    : { content: contents.reduce((all, content) => mergeAddingToLists(all, content) as object), problems }
}
