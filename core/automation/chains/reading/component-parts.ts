import { type Element, XMLSerializer } from '@xmldom/xmldom'
import { repeatedIn, requireFewBlanks } from '../../../platform/contributions/index.js'
import { fail } from '../../../platform/errors/index.js'
import { CHAINS } from '../chain-registry.js'
import { SCRIPTS } from '../scripts/scripts-point.js'
import { extended } from './component-elements.js'
import { CATCH_ELEMENTS } from './read-catch-chains.js'
import { createReport, type Report } from './tree.js'
import { childrenOf, named, parseXml, placeOf, readName } from './xml-elements.js'

/** One contribution of a file. */
export type ComponentPart = { point: string; name: string; text: string }

const [CATCH, FILTER] = CATCH_ELEMENTS as [string, string]
const PARTS = ['scriptedOperation', 'chain', 'handler', 'schedule', CATCH, FILTER]

const EXTENSION = '<extension>'

/** As it stands in its file, so that what is wrong with it is found there. */
const textOfPart = (element: Element, beside: readonly Element[] = []): string => {
  const serializer = new XMLSerializer()
  const [text, ...more] = [element, ...beside].map((each) => serializer.serializeToString(each))
  const { line, column } = placeOf(element)
  const before = '\n'.repeat(line - 1)
  if (beside.length === 0) return `${before}${' '.repeat(column - 1)}${text}`
  const extension = `${text}${more.join('')}</extension>`
  // The element around it stands on the line above, where it does not fit before it.
  return column > EXTENSION.length || line === 1
    ? `${before}${EXTENSION.padEnd(column - 1)}${extension}`
    : `${before.slice(1)}${EXTENSION}\n${' '.repeat(column - 1)}${extension}`
}

/** Handlers have no names of their own: theirs says what they do, and when. */
const nameOfHandler = (element: Element, report: Report): string => {
  const events = named(childrenOf(element, ['event', 'filters'], report), 'event')
  return [
    readName(element, 'chainId', report),
    ...events.map(({ textContent }) => (textContent ?? '').trim()),
  ].join('-')
}

const errorChainsOf = (chain: Element, catching: readonly Element[]): readonly Element[] => {
  const own = catching.filter((element) => element.getAttribute('onChainId') === chain.getAttribute('id'))
  const filters = own.flatMap((element) =>
    Array.from(element.getElementsByTagName('run')).map((run) => run.getAttribute('filterId')),
  )
  return [
    ...own,
    ...catching.filter(
      (element) => element.nodeName === FILTER && filters.includes(element.getAttribute('id')),
    ),
  ]
}

/**
 * What a file of the incumbent contributes, in an order in which each finds what it needs: scripted operations, chains
 * with their error chains, handlers of events, schedules.
 *
 * @throws invalid with every problem; tooLarge.
 */
export const partsOfComponent = (text: string): readonly ComponentPart[] => {
  const { report, problems } = createReport()
  const root = parseXml(text, report)
  const elements = root && extended(root, PARTS, report)
  if (root && !elements)
    report('', placeOf(root), `expected the element <component>, found <${root.nodeName}>`)
  const of = (name: string) => named(elements ?? [], name)
  const catching = [...of(CATCH), ...of(FILTER)]
  requireFewBlanks(['scriptedOperation', 'chain', 'handler', 'schedule'].flatMap(of).map(placeOf))
  const parts = [
    ...inCallingOrder(of('scriptedOperation'), wordsIn).map((element) => ({
      point: SCRIPTS,
      name: readName(element, 'id', report),
      text: textOfPart(element),
    })),
    ...inCallingOrder(of('chain'), (chain) =>
      [chain, ...errorChainsOf(chain, catching)].flatMap(namesIn),
    ).map((element) => ({
      point: CHAINS,
      name: readName(element, 'id', report),
      text: textOfPart(element, errorChainsOf(element, catching)),
    })),
    ...of('handler').map((element) => ({
      point: 'eventHandlers',
      name: nameOfHandler(element, report),
      text: textOfPart(element),
    })),
    ...of('schedule').map((element) => ({
      point: 'schedules',
      name: readName(element, 'id', report),
      text: textOfPart(element),
    })),
  ]
  for (const label of repeatedIn(parts.map(({ point, name }) => `${point}/${name}`)))
    report('', undefined, `${label} is contributed twice`)
  if (elements && parts.length === 0) report('', undefined, 'it contributes nothing')
  if (problems.length > 0)
    throw fail('invalid', `The file is refused: ${problems[0]?.message}`, { details: problems })
  return parts
}

/** Elements after those of the file that they may name by their ids. */
const inCallingOrder = (
  elements: readonly Element[],
  namesOf: (element: Element) => readonly string[],
): readonly Element[] => {
  const byId = new Map(elements.map((element) => [element.getAttribute('id'), element]))
  const begun = new Set<Element>()
  const behindCalled = (element: Element): readonly Element[] => {
    if (begun.has(element)) return []
    begun.add(element)
    return [...namesOf(element).flatMap((name) => behindCalled(byId.get(name) ?? element)), element]
  }
  return elements.flatMap(behindCalled)
}

/** Whatever a script could call others by. */
const wordsIn = (element: Element): readonly string[] =>
  (element.textContent ?? '').match(/[\w$]+(?:\.[\w$]+)?/g) ?? []

/** Whatever an element could name chains by. */
const namesIn = (element: Element): readonly string[] => [
  ...Array.from(element.getElementsByTagName('operation')).map((step) => step.getAttribute('id') ?? ''),
  ...Array.from(element.getElementsByTagName('run')).map((run) => run.getAttribute('chainId') ?? ''),
  ...Array.from(element.getElementsByTagName('param')).map(({ textContent }) => (textContent ?? '').trim()),
]
