import type { RouteState } from '../graph/index.js'
import type { NodeModel, RouteModel } from '../model/index.js'

const [LEAST_WIDTH, HEIGHT, MARGIN] = [180, 60, 40]

/** About how wide a character of the small texts is, pixels. */
const CHARACTER = 6

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

/** A node at its place; `row` of those that are put below each other. */
type Box = { id: string; node: NodeModel; x: number; y: number; width: number; row?: number }

const smallTextOf = (id: string, node: NodeModel): string => [id, marksOf(node)].filter(Boolean).join(': ')

const widthOf = (id: string, node: NodeModel): number =>
  Math.max(LEAST_WIDTH, smallTextOf(id, node).length * CHARACTER + 20)

const draw = ({ id, node, x, y, width }: Box, state: string | undefined): string => {
  const middle = x + width / 2
  return [
    `<rect x="${x}" y="${y}" width="${width}" height="${HEIGHT}" rx="8" fill="${fillOf(node, state)}" stroke="#333"/>`,
    `<text x="${middle}" y="${y + 24}" text-anchor="middle">${escaped(node.title || id)}</text>`,
    `<text x="${middle}" y="${y + 44}" text-anchor="middle" class="small">${escaped(smallTextOf(id, node))}</text>`,
  ].join('')
}

type Point = { x: number; y: number }

const middleOf = ({ x, y, width }: Box): Point => ({ x: x + width / 2, y: y + HEIGHT / 2 })

/** Where the line from a point to the middle of a box meets its border. */
const borderOf = (box: Box, from: Point): Point => {
  const to = middleOf(box)
  const [dx, dy] = [from.x - to.x, from.y - to.y]
  const factor = Math.min(
    dx === 0 ? Number.POSITIVE_INFINITY : box.width / 2 / Math.abs(dx),
    dy === 0 ? Number.POSITIVE_INFINITY : HEIGHT / 2 / Math.abs(dy),
  )
  return Number.isFinite(factor) ? { x: to.x + dx * factor, y: to.y + dy * factor } : to
}

type Line = { points: readonly Point[]; label: Point }

const straight = (source: Box, target: Box): Line => {
  const [from, to] = [borderOf(source, middleOf(target)), borderOf(target, middleOf(source))]
  return { points: [from, to], label: { x: (from.x + to.x) / 2 + 4, y: (from.y + to.y) / 2 } }
}

/** Beside the boxes, from right border to right border, so that it passes behind none. */
const aside = (source: Box, target: Box, x: number): Line => {
  const [from, to] = source === target ? [15, 45] : [HEIGHT / 2 + 8, HEIGHT / 2 - 8]
  const corners = [
    { x: source.x + source.width, y: source.y + from },
    { x, y: source.y + from },
    { x, y: target.y + to },
    { x: target.x + target.width, y: target.y + to },
  ]
  return { points: corners, label: { x: x + 4, y: (source.y + target.y + from + to) / 2 } }
}

/** How far lines beside the boxes are from these, and from the labels of each other, pixels. */
const LANE = 30

const isAside = (source: Box, target: Box): boolean =>
  source === target || (source.row !== undefined && target.row !== undefined && target.row !== source.row + 1)

const drawLine = ({ points, label }: Line, text: string): string => {
  const line = points.map(({ x, y }) => `${Math.round(x)},${Math.round(y)}`).join(' ')
  return `<polyline points="${line}" fill="none" stroke="#555" marker-end="url(#arrow)"/><text x="${Math.round(label.x)}" y="${Math.round(label.y)}" class="small">${escaped(text)}</text>`
}

/** Transitions between the same two nodes are one arrow with their labels. */
const arrowsOf = (boxes: ReadonlyMap<string, Box>): { source: Box; target: Box; text: string }[] => {
  const arrows = new Map<string, { source: Box; target: Box; labels: string[] }>()
  for (const source of boxes.values())
    for (const { targetId, name, label } of source.node.transitions) {
      const target = boxes.get(targetId) ?? source
      const key = JSON.stringify([source.id, target.id])
      const arrow = arrows.get(key) ?? { source, target, labels: [] }
      arrow.labels.push(label || name)
      arrows.set(key, arrow)
    }
  return [...arrows.values()].map(({ labels, ...ends }) => ({ ...ends, text: labels.join(', ') }))
}

const STYLE = 'text{font:14px sans-serif;fill:#222}.small{font-size:11px;fill:#555}'

const ARROW =
  '<defs><marker id="arrow" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="7" markerHeight="7" orient="auto"><path d="M0,0 L10,5 L0,10 z" fill="#555"/></marker></defs>'

/** Nodes in the order in which a workflow comes to them, then those that it never does. */
const inOrder = ({ nodes }: RouteModel): string[] => {
  const found = new Set(Object.keys(nodes).filter((id) => nodes[id]?.start))
  // What is added while a set is walked through is walked through as well.
  for (const id of found)
    for (const { targetId } of nodes[id]?.transitions ?? []) if (nodes[targetId]) found.add(targetId)
  return [...new Set([...found, ...Object.keys(nodes)])]
}

/** Nodes that stand nowhere are put below each other. */
const placed = (model: RouteModel): Box[] => {
  const columnWidth = Math.max(...Object.entries(model.nodes).map(([id, node]) => widthOf(id, node)))
  return inOrder(model).map((id, row) => {
    const node = model.nodes[id]!
    if (node.taskX !== 0 || node.taskY !== 0)
      return { id, node, x: node.taskX, y: node.taskY, width: widthOf(id, node) }
    return { id, node, x: MARGIN, y: MARGIN + row * (HEIGHT + 2 * MARGIN), width: columnWidth, row }
  })
}

/** A drawing of a model as SVG; with a state, nodes that wait stand out. */
export const diagramOf = (model: RouteModel, state?: RouteState): string => {
  const boxes = new Map(placed(model).map((box) => [box.id, box]))
  const all = [...boxes.values()]
  const arrows = arrowsOf(boxes)
  let right = Math.max(...all.map(({ x, width }) => x + width))
  const lines = arrows.map(({ source, target, text }) => {
    if (!isAside(source, target)) return drawLine(straight(source, target), text)
    if (source.row === undefined) return drawLine(aside(source, target, source.x + source.width + LANE), text)
    const lane = right + LANE
    // The label stands right of its line: the next one passes beside it.
    right = lane + text.length * CHARACTER
    return drawLine(aside(source, target, lane), text)
  })
  const longest = Math.max(0, ...arrows.map(({ text }) => text.length))
  const width = right + longest * CHARACTER + MARGIN
  const height = Math.max(...all.map(({ y }) => y)) + HEIGHT + MARGIN
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">`,
    `<style>${STYLE}</style>${ARROW}`,
    ...lines,
    ...all.map((box) => draw(box, state?.nodes[box.id]?.state)),
    '</svg>',
  ].join('\n')
}
