import { type Element, XMLSerializer } from '@xmldom/xmldom'
import {
  childrenOf,
  createReport,
  type ElementClaim,
  extended,
  formOf,
  named,
  nameOfPart,
  parseXml,
  partOf,
  placeOf,
  type Report,
  repeatedIn,
  requireFewBlanks,
} from '../../../platform/contributions/index.js'
import { fail } from '../../../platform/errors/index.js'
import { CHAINS } from '../chain-registry.js'
import { SCRIPTS } from '../scripts/scripts-point.js'
import { CATCH_ELEMENTS } from './read-catch-chains.js'
import { readName } from './xml-elements.js'

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

/** The contribution of an element that is read in the regular form; undefined for another one. */
const claimOf = (
  element: Element,
  claims: readonly ElementClaim[],
): { point: string; name: string } | undefined => {
  const part = partOf(element)
  for (const { point, elements } of claims) {
    const form = formOf(elements, part)
    if (form) return { point, name: nameOfPart(part, form).name }
  }
  return undefined
}

/** Elements by the contribution that they make together. */
const claimedParts = (
  elements: readonly Element[],
  claims: readonly ElementClaim[],
  report: Report,
): { parts: readonly ComponentPart[]; left: readonly Element[] } => {
  const byContribution = new Map<string, { point: string; name: string; elements: Element[] }>()
  const left: Element[] = []
  for (const element of elements) {
    const claim = claimOf(element, claims)
    if (!claim) left.push(element)
    else if (claim.name === '') report('', placeOf(element), `<${element.nodeName}> needs the attribute name`)
    else {
      const label = `${claim.point}/${claim.name}`
      const known = byContribution.get(label) ?? { ...claim, elements: [] }
      byContribution.set(label, { ...known, elements: [...known.elements, element] })
    }
  }
  const parts = [...byContribution.values()].flatMap(({ point, name, elements: [first, ...beside] }) =>
    first ? [{ point, name, text: textOfPart(first, beside) }] : [],
  )
  return { parts, left }
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
 * with their error chains, handlers of events, schedules, after the elements that other points claim.
 *
 * @throws invalid with every problem; tooLarge.
 */
export const partsOfComponent = (
  text: string,
  claims: readonly ElementClaim[] = [],
): readonly ComponentPart[] => {
  const { report, problems } = createReport()
  const root = parseXml(text, report)
  const known = [...PARTS, ...claims.flatMap(({ elements }) => Object.keys(elements))]
  const elements = root && extended(root, known, report)
  if (root && !elements)
    report('', placeOf(root), `expected the element <component>, found <${root.nodeName}>`)
  requireFewBlanks((elements ?? []).map(placeOf))
  const { parts: claimed, left } = claimedParts(elements ?? [], claims, report)
  const of = (name: string) => named(left, name)
  for (const element of left)
    if (!PARTS.includes(element.nodeName))
      report('', placeOf(element), `<${element.nodeName}> is of no extension point in this form`)
  const catching = [...of(CATCH), ...of(FILTER)]
  const parts = [
    ...claimed,
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
