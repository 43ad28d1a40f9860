import type { Element } from '@xmldom/xmldom'
import type { ErrorDetail } from '../../errors/index.js'
import { childrenOf, named, parseXml, placeOf } from './elements.js'
import { createReport, type Report } from './report.js'

/** What a component may say beside its extensions, which means nothing here. */
const PASSED_OVER = ['require', 'documentation']

/** Elements that only gather those of an extension. */
const WRAPPERS = ['types']

/** The elements of the extensions that a text holds as the incumbent contributes it; undefined when it is no such text. */
export const extended = (
  root: Element,
  names: readonly string[],
  report: Report,
): readonly Element[] | undefined => {
  const extensions =
    root.nodeName === 'component'
      ? named(childrenOf(root, ['extension', ...PASSED_OVER], report), 'extension')
      : root.nodeName === 'extension'
        ? [root]
        : undefined
  const within = (parent: Element): readonly Element[] =>
    childrenOf(parent, [...names, ...WRAPPERS, ...PASSED_OVER], report).flatMap((element) => {
      if (WRAPPERS.includes(element.nodeName)) return within(element)
      return names.includes(element.nodeName) ? [element] : []
    })
  return extensions?.flatMap(within)
}

/** The one element of a name that a text is about: the text itself, or what it contributes. */
const onlyElement = (root: Element, name: string, report: Report): Element | undefined => {
  if (root.nodeName === name) return root
  const [element, second] = extended(root, [name], report) ?? []
  if (element && !second) return element
  report(
    '',
    placeOf(second ?? root),
    second
      ? `one <${name}> is deployed at a time`
      : `expected the element <${name}>, found <${root.nodeName}>`,
  )
  return undefined
}

/** The content of a contribution of one element, alone or in its extension, with every problem of the text. */
export const readContribution = <Content extends object>(
  { text, element }: { text: string; element: string },
  read: (root: Element, report: Report) => Content,
): { content?: Content; problems: readonly ErrorDetail[] } => {
  const { report, problems } = createReport()
  const document = parseXml(text, report)
  const root = document && onlyElement(document, element, report)
  return root ? { content: read(root, report), problems } : { problems }
}
