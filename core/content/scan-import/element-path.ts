import { localName, type XmlNode } from '../import/index.js'

/** One step of a path: `deep` finds at any depth. */
type Step = { deep: boolean; name: string; tests: readonly ((node: XmlNode, position: number) => boolean)[] }

const STEP = /(\/{0,2})(\w[\w.:-]*|\*)((?:\[[^\]]*\])*)/y
const TEST = /\[\s*(?:(\d+)|@([\w.:-]+)\s*=\s*(?:'([^']*)'|"([^"]*)"))\s*\]/y

const testsOf = (text: string): Step['tests'] | undefined => {
  const tests: Step['tests'][number][] = []
  TEST.lastIndex = 0
  while (TEST.lastIndex < text.length) {
    const match = TEST.exec(text)
    if (!match) return undefined
    const [, position, attribute = '', single, double] = match
    if (position !== undefined) tests.push((_, index) => index + 1 === Number(position))
    else tests.push(({ attributes }) => attributes[attribute] === (single ?? double))
  }
  return tests
}

/**
 * The steps of a path in the notation of XPath, of which there are names, `*`, `/`, `//`, `[n]` and `[@name='text']`;
 * undefined for any other.
 */
export const parseElementPath = (path: string): readonly Step[] | undefined => {
  const text = path.trim()
  const steps: Step[] = []
  STEP.lastIndex = 0
  while (STEP.lastIndex < text.length) {
    const match = STEP.exec(text)
    if (!match) return undefined
    const [, slashes = '', name = '', brackets = ''] = match
    const tests = testsOf(brackets)
    if (!tests || (steps.length > 0 && slashes === '')) return undefined
    steps.push({ deep: slashes === '//', name, tests })
  }
  return steps.length > 0 ? steps : undefined
}

const isNamed = (node: XmlNode, name: string): boolean =>
  name === '*' || node.name === name || (!name.includes(':') && localName(node.name) === name)

const descendants = (node: XmlNode): XmlNode[] =>
  node.children.flatMap((child) => [child, ...descendants(child)])

const stepFrom = (nodes: readonly XmlNode[], { deep, name, tests }: Step): XmlNode[] => {
  const found = nodes.flatMap((node) => {
    const parents = deep ? [node, ...descendants(node)] : [node]
    return parents.flatMap(({ children }) =>
      tests.reduce(
        (some, test) => some.filter(test),
        children.filter((child) => isNamed(child, name)),
      ),
    )
  })
  return [...new Set(found)]
}

/** The elements at a path of a document, from its root element on; none for a path that cannot be read. */
export const elementsAt = (root: XmlNode, path: string): XmlNode[] => {
  const document: XmlNode = { name: '', attributes: {}, children: [root], text: '' }
  const steps = parseElementPath(path)
  return steps ? steps.reduce<XmlNode[]>(stepFrom, [document]) : []
}
