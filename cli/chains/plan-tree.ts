import type { PlanEntity, PlanPart } from '../server/index.js'
import { printableLine } from '../terminal/index.js'

const KINDS: { [kind: string]: string } = {
  segment: 'one transaction',
  call: 'one transaction of its own',
  loop: 'one transaction for each item',
}

const NESTED: { [kind: string]: string } = {
  call: 'in steps of its own',
  loop: 'steps of their own for each item',
}

/** Called once for each document, or file, where its input is a list. */
const OF_EACH = /^Run(Document|File)Operation /

const eachOf = (title: string): string => {
  const [, item] = OF_EACH.exec(title) ?? []
  return item === undefined ? '' : `, for each ${item.toLowerCase()} of a list`
}

const describePart = ({ kind, title, steps, isSlow, segments }: PlanPart): string => {
  const what = (segments ? NESTED[kind] : KINDS[kind]) ?? kind
  const each = kind === 'call' ? eachOf(title) : ''
  const name = kind === 'segment' ? steps.join(', ') : title
  return printableLine(`${name} (${what}${each}${isSlow ? ', may take long' : ''})`)
}

const treeLines = (parts: readonly PlanPart[], indent: string): string[] =>
  parts.flatMap((part, index) => {
    const isLast = index === parts.length - 1
    return [
      `${indent}${isLast ? '└─' : '├─'} ${describePart(part)}`,
      ...treeLines(part.segments ?? [], `${indent}${isLast ? '   ' : '│  '}`),
    ]
  })

const signatures = (plan: PlanEntity): string =>
  plan.signatures.map(({ input, output }) => `${input} -> ${output}`).join(', ') || 'no input finds a path'

/** A plan as a tree: its transactions, boundaries, and input and output types. */
export const planLines = (plan: PlanEntity): string[] => [
  `${plan.chainId}: ${signatures(plan)}`,
  ...treeLines(plan.segments, ''),
]
