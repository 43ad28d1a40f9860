import { fail } from '../../../errors/index.js'
import { isQuick } from './quick.js'
import { areStatements, statementFragments } from './statements.js'
import { endsOperand, type Token, tokenize } from './tokens.js'
import { bracketTree, isName, isPunctuator, lastToken, type Node } from './tree.js'

/** A piece of JavaScript and the offset in the source that it stands for. */
export type Fragment = { text: string; at: number }

export type Translation = {
  fragments: Fragment[]
  /** Identifiers that may be names of the scope. */
  names: ReadonlySet<string>
  quick: boolean
}

/** The methods that MVEL callers use on strings, lists, maps, numbers and dates; the sandbox implements them. */
export const MVEL_METHODS = [
  ...[
    'size',
    'isEmpty',
    'equals',
    'equalsIgnoreCase',
    'contains',
    'containsKey',
    'containsAll',
    'get',
    'keySet',
  ],
  ...[
    'intValue',
    'longValue',
    'doubleValue',
    'booleanValue',
    'compareTo',
    'matches',
    'replaceFirst',
    'replace',
    'replaceAll',
    'split',
    'values',
    'add',
    'addAll',
    'put',
    'remove',
  ],
]
const METHODS = new Set(MVEL_METHODS)

/** Members of Java beans that are both properties and methods; documents of scripts have them as methods alone. */
export const MVEL_FLAGS = ['isFolder', 'isLocked', 'isProxy', 'isVersion', 'isImmutable']

/** The one name under which the sandbox's own helpers are visible to translated code. */
export const HELPERS = '$mvel'

const BOUNDARIES = [
  ...[
    ',',
    ';',
    '?',
    ':',
    '&&',
    '||',
    '??',
    '&',
    '|',
    '^',
    '=>',
    '...',
    '=',
    '+=',
    '-=',
    '*=',
    '/=',
    '%=',
    '**=',
  ],
  ...['<<=', '>>=', '>>>=', '&=', '|=', '^=', '&&=', '||=', '??='],
]
/** What compares two operands, with the helper that does. */
const EQUALITIES: Readonly<Record<string, string>> = {
  '==': 'equal',
  '!=': 'equal',
  '===': '',
  '!==': '',
  '~=': 'matches',
  contains: 'contains',
}
const NAVIGATION = ['.', '?.', '.?']

/** Infix words: only between two operands, so that a property or a map key may have the name. */
const INFIX: Readonly<Record<string, string>> = { and: '&&', or: '||' }

type Place = { items: readonly Node[]; index: number }

const isNavigated = ({ items, index }: Place): boolean => isPunctuator(items[index - 1], ...NAVIGATION)

const isKey = ({ items, index }: Place): boolean =>
  isPunctuator(items[index + 1], ':') && !isPunctuator(items[index - 1], '?')

const isInfix = ({ items, index }: Place): boolean =>
  isName(items[index], ...Object.keys(INFIX)) &&
  !isNavigated({ items, index }) &&
  endsOperand(lastToken(items[index - 1])) &&
  index + 1 < items.length &&
  !isPunctuator(items[index + 1], ...BOUNDARIES)

/** `contains` is a comparison only between two operands. */
const isEquality = ({ items, index }: Place): boolean => {
  const node = items[index]
  if (node === undefined || !Object.hasOwn(EQUALITIES, node.token.text)) return false
  if (node.token.kind === 'punctuator') return true
  const next = items[index + 1]
  return (
    isName(node, 'contains') &&
    !isNavigated({ items, index }) &&
    endsOperand(lastToken(items[index - 1])) &&
    next !== undefined &&
    (next.token.kind !== 'punctuator' || next.items !== undefined)
  )
}

const isBoundary = (place: Place): boolean =>
  isPunctuator(place.items[place.index], ...BOUNDARIES) ||
  isName(place.items[place.index], 'return', 'throw', 'case') ||
  isInfix(place)

/** `['k': 'v']`: a list in operand position with a colon that belongs to no ternary. */
const isMapLiteral = (items: readonly Node[]): boolean => {
  let ternaries = 0
  for (const node of items) {
    if (isPunctuator(node, '?')) ternaries++
    else if (isPunctuator(node, ':') && ternaries-- === 0) return true
  }
  return false
}

const translator = (isExpression: boolean) => {
  const raw = (token: Token): Fragment => ({ text: token.text, at: token.at })

  const mapLiteral = (group: Node & { items: Node[] }): Fragment[] => {
    const { at } = group.token
    const entries = splitAt(group.items, (node) => isPunctuator(node, ','))
    const body = entries.flatMap((entry) => {
      const colon = entry.findIndex((node) => isPunctuator(node, ':'))
      const key = entry.slice(0, colon)
      if (key.length === 0) return []
      return [
        { text: '[', at },
        ...list(key),
        { text: ']:', at },
        ...list(entry.slice(colon + 1)),
        { text: ',', at },
      ]
    })
    return [{ text: '({', at }, ...body, { text: '})', at }]
  }

  const group = (node: Node & { items: Node[] }, before: Node | undefined): Fragment[] => {
    const isLiteral = node.token.text === '[' && !endsOperand(lastToken(before))
    if (isLiteral && !isPunctuator(before, '?.') && isMapLiteral(node.items)) return mapLiteral(node)
    return [raw(node.token), ...list(node.items), raw(node.close as Token)]
  }

  /** `.size()` and its kin go to the sandbox's own methods, which yield to a method of the value itself. */
  const method = (place: Place): { fragments: Fragment[]; taken: number } | undefined => {
    const [dot, name, call] = place.items.slice(place.index, place.index + 3)
    if (!isPunctuator(dot, ...NAVIGATION) || !isName(name)) return undefined
    const { text, at } = name!.token
    const isNullSafe = !isPunctuator(dot, '.')
    const isCall = isPunctuator(call, '(')
    if (MVEL_FLAGS.includes(text) && !isPunctuator(call, '=')) {
      const flag = `${isNullSafe ? '?.' : ''}[${HELPERS}.methods.${text}]()`
      return { fragments: [{ text: flag, at }], taken: isCall ? 3 : 2 }
    }
    if (!isCall) return undefined
    if (text === 'length' && call?.items?.length === 0)
      return { fragments: [{ text: isNullSafe ? '?.length' : '.length', at }], taken: 3 }
    if (!METHODS.has(text)) return undefined
    return { fragments: [{ text: `${isNullSafe ? '?.' : ''}[${HELPERS}.methods.${text}]`, at }], taken: 2 }
  }

  /** The translation of a word of MVEL at this position, and how many nodes it takes. */
  const word = (place: Place): { fragments: Fragment[]; taken: number } | undefined => {
    const { items, index } = place
    const { text, at } = items[index]!.token
    if (isInfix(place)) return { fragments: [{ text: INFIX[text]!, at }], taken: 1 }
    if (!isName(items[index]) || isNavigated(place) || isKey(place)) return undefined
    const next = items[index + 1]
    if ((text === 'for' || text === 'foreach') && isPunctuator(next, '(')) {
      const walk = iteration(next!)
      if (walk !== undefined) return { fragments: walk, taken: 2 }
    }
    const startsOperand = next !== undefined && !endsOperand(lastToken(items[index - 1]))
    if (text === 'not' && startsOperand && !isPunctuator(next, '.', '=>'))
      return { fragments: [{ text: '!', at }], taken: 1 }
    if (text === 'isdef' && isName(next))
      return { fragments: [{ text: `(typeof ${next!.token.text}!=='undefined')`, at }], taken: 2 }
    if (text === 'empty' && !isPunctuator(next, '(', '=', '=>'))
      return { fragments: [{ text: `(typeof empty==='undefined'?${HELPERS}.empty:empty)`, at }], taken: 1 }
    if (
      text === 'new' &&
      items
        .slice(index + 1, index + 6)
        .map((node) => node.token.text)
        .join('') === 'java.util.Date'
    )
      return { fragments: [{ text: 'new Date', at }], taken: 6 }
    return undefined
  }

  /** `for (item : list)` and `foreach (Type item : list)`; undefined for JavaScript's own loops. */
  const iteration = ({ token, items = [] }: Node): Fragment[] | undefined => {
    const colon = items.findIndex((node) => isPunctuator(node, ':'))
    const name = items[colon - 1]
    if (!isName(name) || items.some((node) => isPunctuator(node, ';', '?'))) return undefined
    const { at } = token
    return [
      { text: 'for(const ', at },
      raw(name!.token),
      { text: ' of (', at },
      ...list(items.slice(colon + 1)),
      { text: '))', at },
    ]
  }

  const operand = (items: readonly Node[]): Fragment[] => {
    const fragments: Fragment[] = []
    for (let index = 0; index < items.length; ) {
      const node = items[index]!
      const special = method({ items, index }) ?? word({ items, index })
      if (special !== undefined) fragments.push(...special.fragments)
      else if (node.items !== undefined) fragments.push(...group(node, items[index - 1]))
      else fragments.push(isPunctuator(node, '.?') ? { text: '?.', at: node.token.at } : raw(node.token))
      index += special?.taken ?? 1
    }
    return fragments
  }

  /** Folds `a == b` to a call: MVEL compares lists, maps, dates and documents by value. */
  const segment = (items: readonly Node[]): Fragment[] => {
    const operators = items.filter((_, index) => isEquality({ items, index }))
    if (!isExpression || operators.length === 0) return operand(items)
    const [first, ...rest] = splitAt(items, (node) => operators.includes(node))
    const lonely = operators.find((_, index) => first!.length === 0 || rest[index]!.length === 0)
    if (lonely !== undefined)
      throw fail('badRequest', `${lonely.token.text} at ${lonely.token.at + 1} has no operand to compare`)
    const folded = operand(first!)
    for (const [index, right] of rest.entries()) {
      const { text, at } = operators[index]!.token
      const helper = EQUALITIES[text]!
      const isStrict = helper === ''
      const open = isStrict ? '(' : `${text === '!=' ? '!' : ''}${HELPERS}.${helper}(`
      folded.unshift({ text: open, at: folded[0]!.at })
      folded.push({ text: isStrict ? text : ',', at }, ...operand(right), { text: ')', at })
    }
    return folded
  }

  const list = (items: readonly Node[]): Fragment[] => {
    const fragments: Fragment[] = []
    let from = 0
    for (let index = 0; index <= items.length; index++) {
      if (index < items.length && !isBoundary({ items, index })) continue
      fragments.push(...segment(items.slice(from, index)))
      const boundary = items[index]
      if (boundary !== undefined)
        fragments.push({ text: INFIX[boundary.token.text] ?? boundary.token.text, at: boundary.token.at })
      from = index + 1
    }
    return fragments
  }

  return list
}

const splitAt = (items: readonly Node[], isSeparator: (node: Node) => boolean): Node[][] => {
  const parts: Node[][] = [[]]
  for (const node of items) {
    if (isSeparator(node)) parts.push([])
    else parts.at(-1)!.push(node)
  }
  return parts
}

/** Blocks of statements keep JavaScript's `==`: operands there cannot be found by tokens alone. */
const hasStatements = (tokens: readonly Token[]): boolean =>
  tokens.some(
    ({ kind, text }, at) =>
      (kind === 'name' && (text === 'function' || text === 'class')) ||
      (text === '=>' && tokens[at + 1]?.text === '{'),
  )

/**
 * Translates an expression to JavaScript. JavaScript stays as it is; MVEL's habits (reference: automation.md §7) become
 * calls of helpers under `HELPERS`, and where an expression is asked for, statements a function of their own. Throws `badRequest` on what has no token structure.
 */
export const translate = (source: string, { asExpression = false } = {}): Translation => {
  const { tokens } = tokenize(source)
  const names = tokens.flatMap((token, at) => {
    if (token.kind === 'template') return token.names ?? []
    return token.kind === 'name' && !NAVIGATION.includes(tokens[at - 1]?.text ?? '') ? [token.text] : []
  })
  const list = translator(!hasStatements(tokens))
  const nodes = bracketTree(tokens)
  const isOne = !asExpression || !areStatements(nodes)
  const fragments = isOne ? list(nodes) : statementFragments(nodes, list)
  return { fragments, names: new Set(names), quick: isOne && isQuick(tokens) }
}
