import type { Fragment } from './translate.js'
import { isName, isPunctuator, type Node } from './tree.js'

/*
 * Statements of MVEL in an expression: `total = 0; foreach (d : Documents) { total = total + 1 }; total`. The last one is
 * its value; of an `if`, that of the branch that is taken. What is assigned is a name of the expression alone.
 */

type Statement =
  | { kind: 'plain'; nodes: readonly Node[] }
  | { kind: 'if'; head: Node; then: readonly Statement[]; otherwise?: readonly Statement[] }
  | { kind: 'loop'; head: readonly Node[]; body: readonly Statement[] }

type Read<Found> = { found: Found; next: number }

const LOOPS = ['for', 'foreach', 'while']
const DECLARING = ['var', 'let', 'const']
const ASSIGNMENTS = ['=', '+=', '-=', '*=', '/=', '%=', '++', '--']
/** Names that never are the type of what follows them. */
const NO_TYPES = ['return', 'throw', 'new', 'not', 'isdef', 'typeof', 'await', 'delete', 'void']

const isType = (nodes: readonly Node[]): boolean =>
  isName(nodes[0]) &&
  !isName(nodes[0], ...NO_TYPES, ...DECLARING) &&
  isName(nodes[1]) &&
  isPunctuator(nodes[2], '=')

/** Whether an expression has several statements: then it cannot be evaluated as one value. */
export const areStatements = (nodes: readonly Node[]): boolean =>
  nodes.some((node) => isPunctuator(node, ';')) ||
  isName(nodes[0], 'if', 'return', ...LOOPS, ...DECLARING) ||
  (isName(nodes[0]) && isPunctuator(nodes[1], ...ASSIGNMENTS)) ||
  isType(nodes)

const toSemicolon = (nodes: readonly Node[], from: number): Read<Statement> => {
  const end = nodes.findIndex(
    (node, index) => index >= from && (isPunctuator(node, ';') || isName(node, 'else')),
  )
  const to = end < 0 ? nodes.length : end
  const written = nodes.slice(from, to)
  return {
    found: { kind: 'plain', nodes: isType(written) ? written.slice(1) : written },
    next: isName(nodes[to], 'else') ? to : to + 1,
  }
}

/** `{…}`, or the one statement that stands in its place. */
const readBody = (nodes: readonly Node[], from: number): Read<readonly Statement[]> => {
  const block = nodes[from]
  if (isPunctuator(block, '{')) return { found: readAll(block?.items ?? []), next: from + 1 }
  const { found, next } = readOne(nodes, from)
  return { found: [found], next }
}

/** `(int i = 0; …)` without the type. */
const untyped = (head: Node): Node =>
  head.items && isType(head.items) ? { ...head, items: head.items.slice(1) } : head

const readOne = (nodes: readonly Node[], from: number): Read<Statement> => {
  const head = nodes[from + 1]
  if (!isPunctuator(head, '(') || !head) return toSemicolon(nodes, from)
  if (isName(nodes[from], ...LOOPS)) {
    const { found: body, next } = readBody(nodes, from + 2)
    return { found: { kind: 'loop', head: [nodes[from]!, untyped(head)], body }, next }
  }
  if (!isName(nodes[from], 'if')) return toSemicolon(nodes, from)
  const { found: then, next } = readBody(nodes, from + 2)
  const other = isPunctuator(nodes[next], ';') && isName(nodes[next + 1], 'else') ? next + 1 : next
  if (!isName(nodes[other], 'else')) return { found: { kind: 'if', head, then }, next }
  const { found: otherwise, next: end } = readBody(nodes, other + 1)
  return { found: { kind: 'if', head, then, otherwise }, next: end }
}

const readAll = (nodes: readonly Node[]): readonly Statement[] => {
  const statements: Statement[] = []
  for (let at = 0; at < nodes.length; ) {
    if (isPunctuator(nodes[at], ';')) {
      at++
      continue
    }
    const { found, next } = readOne(nodes, at)
    statements.push(found)
    at = next
  }
  return statements
}

const assignedBy = ([name, operator]: readonly Node[]): string[] =>
  isName(name) && isPunctuator(operator, ...ASSIGNMENTS) ? [name!.token.text] : []

const assignedIn = (statements: readonly Statement[]): string[] =>
  statements.flatMap((statement) => {
    if (statement.kind === 'if') return assignedIn([...statement.then, ...(statement.otherwise ?? [])])
    if (statement.kind === 'plain') return assignedBy(statement.nodes)
    return [...assignedBy(statement.head[1]?.items ?? []), ...assignedIn(statement.body)]
  })

type Translate = (nodes: readonly Node[]) => Fragment[]

const emitAll = (statements: readonly Statement[], translate: Translate, isValue: boolean): Fragment[] =>
  statements.flatMap((statement, index) =>
    emit(statement, translate, isValue && index === statements.length - 1),
  )

const block = (
  statements: readonly Statement[],
  at: number,
  translate: Translate,
  isValue: boolean,
): Fragment[] => [{ text: '{', at }, ...emitAll(statements, translate, isValue), { text: '}', at }]

const emit = (statement: Statement, translate: Translate, isValue: boolean): Fragment[] => {
  if (statement.kind === 'loop') {
    const { head, body } = statement
    return [...translate(head), ...block(body, head[0]?.token.at ?? 0, translate, false)]
  }
  if (statement.kind === 'if') {
    const { head, then, otherwise } = statement
    const { at } = head.token
    const condition = [{ text: 'if(', at }, ...translate(head.items ?? []), { text: ')', at }]
    const alternative = otherwise ? [{ text: 'else', at }, ...block(otherwise, at, translate, isValue)] : []
    return [...condition, ...block(then, at, translate, isValue), ...alternative]
  }
  const { nodes } = statement
  const at = nodes[0]?.token.at ?? 0
  const end = { text: ';', at: nodes.at(-1)?.token.at ?? at }
  if (!isValue || isName(nodes[0], 'return', 'throw', ...DECLARING)) return [...translate(nodes), end]
  return [{ text: 'return (', at }, ...translate(nodes), { text: ')', at }, end]
}

/** One expression of JavaScript that does what the statements say. */
export const statementFragments = (nodes: readonly Node[], translate: Translate): Fragment[] => {
  const statements = readAll(nodes)
  const names = [...new Set(assignedIn(statements))]
  // A variable of the run with the same name is its initial value.
  const given = names.map((name) => `typeof ${name}==='undefined'?undefined:${name}`)
  return [
    { text: `(function(${names.join(',')}){`, at: 0 },
    ...emitAll(statements, translate, true),
    { text: `})(${given.join(',')})`, at: nodes.at(-1)?.token.at ?? 0 },
  ]
}
