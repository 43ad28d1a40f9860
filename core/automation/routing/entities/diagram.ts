import type { RouteState } from '../graph/index.js'
import type { NodeModel, RouteModel } from '../model/index.js'

const [WIDTH, HEIGHT, MARGIN] = [180, 60, 40]

const escaped = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.codePointAt(0)};`)

const fillOf = ({ start, stop }: NodeModel, state: string | undefined): string => {
  if (state === 'suspended' || state === 'waiting') return '#fff3c4'
  if (start) return '#d9f2e3'
  return stop ? '#f3d9d9' : '#ffffff'
}

const marksOf = ({
  merge,
  hasTask,
  hasMultipleTasks,
  subRouteModelExpr,
  escalationRules,
}: NodeModel): string =>
  [
    ...(merge ? [`merge ${merge}`] : []),
    ...(hasMultipleTasks ? ['tasks'] : hasTask ? ['task'] : []),
    ...(subRouteModelExpr ? ['sub-workflow'] : []),
    ...escalationRules.map(({ name }) => `escalation ${name}`),
  ].join(', ')

const box = (id: string, node: NodeModel, state: string | undefined): string => {
  const { taskX: x, taskY: y, title } = node
  const middle = x + WIDTH / 2
  return [
    `<rect x="${x}" y="${y}" width="${WIDTH}" height="${HEIGHT}" rx="8" fill="${fillOf(node, state)}" stroke="#333"/>`,
    `<text x="${middle}" y="${y + 24}" text-anchor="middle">${escaped(title || id)}</text>`,
    `<text x="${middle}" y="${y + 44}" text-anchor="middle" class="small">${escaped([id, marksOf(node)].filter(Boolean).join(': '))}</text>`,
  ].join('')
}

type Point = { x: number; y: number }

const middleOf = ({ taskX, taskY }: NodeModel): Point => ({ x: taskX + WIDTH / 2, y: taskY + HEIGHT / 2 })

/** Where the line from a point to the middle of a box meets its border. */
const borderOf = (node: NodeModel, from: Point): Point => {
  const to = middleOf(node)
  const [dx, dy] = [from.x - to.x, from.y - to.y]
  const factor = Math.min(
    dx === 0 ? Number.POSITIVE_INFINITY : WIDTH / 2 / Math.abs(dx),
    dy === 0 ? Number.POSITIVE_INFINITY : HEIGHT / 2 / Math.abs(dy),
  )
  return Number.isFinite(factor) ? { x: to.x + dx * factor, y: to.y + dy * factor } : to
}

const loop = ({ taskX, taskY }: NodeModel): Point[] => {
  const right = taskX + WIDTH
  return [
    { x: right, y: taskY + 15 },
    { x: right + 30, y: taskY + 15 },
    { x: right + 30, y: taskY + 45 },
    { x: right, y: taskY + 45 },
  ]
}

const arrow = (source: NodeModel, target: NodeModel, label: string): string => {
  const points =
    source === target
      ? loop(source)
      : [borderOf(source, middleOf(target)), borderOf(target, middleOf(source))]
  const line = points.map(({ x, y }) => `${Math.round(x)},${Math.round(y)}`).join(' ')
  const [first, last] = [points[0]!, points.at(-1)!]
  const at =
    source === target
      ? { x: first.x + 34, y: first.y + 18 }
      : { x: (first.x + last.x) / 2 + 4, y: (first.y + last.y) / 2 }
  return `<polyline points="${line}" fill="none" stroke="#555" marker-end="url(#arrow)"/><text x="${Math.round(at.x)}" y="${Math.round(at.y)}" class="small">${escaped(label)}</text>`
}

const STYLE = 'text{font:14px sans-serif;fill:#222}.small{font-size:11px;fill:#555}'

const ARROW =
  '<defs><marker id="arrow" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="7" markerHeight="7" orient="auto"><path d="M0,0 L10,5 L0,10 z" fill="#555"/></marker></defs>'

/** Nodes that stand nowhere are put below each other. */
const placed = ({ nodes }: RouteModel): [string, NodeModel][] =>
  Object.entries(nodes).map(([id, node], index) =>
    node.taskX === 0 && node.taskY === 0
      ? [id, { ...node, taskX: MARGIN, taskY: MARGIN + index * (HEIGHT + 2 * MARGIN) }]
      : [id, node],
  )

/** A drawing of a model as SVG; with a state, nodes that wait stand out. */
export const diagramOf = (model: RouteModel, state?: RouteState): string => {
  const nodes = placed(model)
  const byId = new Map(nodes)
  const width = Math.max(...nodes.map(([, { taskX }]) => taskX)) + WIDTH + 2 * MARGIN
  const height = Math.max(...nodes.map(([, { taskY }]) => taskY)) + HEIGHT + MARGIN
  const arrows = nodes.flatMap(([, node]) =>
    node.transitions.map(({ targetId, name, label }) =>
      arrow(node, byId.get(targetId) ?? node, label || name),
    ),
  )
  const boxes = nodes.map(([id, node]) => box(id, node, state?.nodes[id]?.state))
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">`,
    `<style>${STYLE}</style>${ARROW}`,
    ...arrows,
    ...boxes,
    '</svg>',
  ].join('\n')
}
