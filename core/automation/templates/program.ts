import { builtInsOf, RUNTIME } from './built-ins.js'
import { localName } from './freemarker-code.js'
import type { Place, TemplateNode } from './types.js'

/** The variable that hands the fixed texts of a template to the sandbox. */
export const TEXTS = '$texts'

/** A template as one expression for the sandbox, which gives its output. */
export type TemplateProgram = {
  source: string
  texts: readonly string[]
  /** By line of the source, from 1: what stands there in the template. */
  places: ReadonlyMap<number, Place>
}

/** Items that all loops may have together: more is an output that nobody reads. */
const MAX_CHARACTERS = 8 * 1024 * 1024

const assignedIn = (nodes: readonly TemplateNode[]): string[] =>
  nodes.flatMap((node) => {
    if (node.kind === 'assign') return [node.name]
    if (node.kind === 'list') return [...assignedIn(node.nodes), ...assignedIn(node.otherwise)]
    return node.kind === 'choice' ? node.branches.flatMap((branch) => assignedIn(branch.nodes)) : []
  })

/** Makes a template's program; each value stands on a line of its own, so that a failure has its place. */
export const programOf = (nodes: readonly TemplateNode[], used: ReadonlySet<string>): TemplateProgram => {
  const texts: string[] = []
  const places = new Map<number, Place>()
  const head = `(function () {${RUNTIME}${builtInsOf(used)}`
  const lines: string[] = head.split('\n')

  const line = (code: string, at?: Place): void => {
    // An expression may be written over several lines.
    const first = lines.length + 1
    lines.push(...code.split('\n'))
    if (at) for (let number = first; number <= lines.length; number++) places.set(number, at)
  }

  const list = (node: Extract<TemplateNode, { kind: 'list' }>, depth: number): void => {
    const item = localName(node.item)
    const [all, at] = [`$all${depth}`, `${item}_at`]
    const { value } = node
    line(`const ${all} = ${value ? '$entries' : '$items'}(${node.code})`, node.at)
    line(`const ${item}_of = ${all}.length`)
    line(`for (let ${at} = 0; ${at} < ${item}_of; ${at}++) {`)
    line(value ? `const [${item}, ${localName(value)}] = ${all}[${at}]` : `const ${item} = ${all}[${at}]`)
    for (const inner of node.nodes) add(inner, depth + 1)
    line('}')
    if (node.otherwise.length > 0) {
      line(`if (${all}.length === 0) {`)
      for (const inner of node.otherwise) add(inner, depth + 1)
      line('}')
    }
  }

  const add = (node: TemplateNode, depth: number): void => {
    switch (node.kind) {
      case 'text':
        line(`$put(${TEXTS}[${texts.push(node.text) - 1}])`)
        break
      case 'value':
        line(`$put($text(${node.code}))`, node.at)
        break
      case 'assign':
        line(`${localName(node.name)} = ${node.code}`, node.at)
        break
      case 'break':
        line('break')
        break
      case 'choice':
        for (const [index, { condition, nodes: inner }] of node.branches.entries()) {
          const start = index === 0 ? '' : '} else '
          line(condition ? `${start}if (${condition.code}) {` : `${start}{`, condition?.at)
          for (const one of inner) add(one, depth + 1)
        }
        line('}')
        break
      case 'list':
        line('{')
        list(node, depth)
        line('}')
        break
    }
  }

  for (const name of new Set(assignedIn(nodes))) line(`let ${localName(name)}`)
  line(`let $out = ''`)
  line(
    `const $put = (text) => { $out += text; if ($out.length > ${MAX_CHARACTERS}) throw new RangeError('the output is longer than ${MAX_CHARACTERS} characters') }`,
  )
  for (const node of nodes) add(node, 0)
  line('return $out')
  line('})()')
  return { source: lines.join('\n'), texts, places }
}
