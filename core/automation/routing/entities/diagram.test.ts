import { expect, test } from 'vitest'
import { modelOf, to } from '../graph/moves.fixture.js'
import { diagramOf } from './diagram.js'

const numbersOf = (svg: string, tag: string, attribute: string): number[] =>
  [...svg.matchAll(new RegExp(`<${tag}[^>]* ${attribute}="([^"]*)"`, 'g'))].map(([, value]) => Number(value))

const linesOf = (svg: string): number[][][] =>
  [...svg.matchAll(/points="([^"]*)"/g)].map(([, points = '']) =>
    points.split(' ').map((point) => point.split(',').map(Number)),
  )

const titlesOf = (svg: string): string[] =>
  [...svg.matchAll(/text-anchor="middle">([^<]*)/g)].map(([, title = '']) => title)

/** In the order in which a database gives the names of an object. */
const review = modelOf({
  end: { stop: true },
  begin: { start: true, transitions: [to('review')] },
  review: { hasTask: true, transitions: [to('end'), { ...to('end'), name: 'late' }, to('begin')] },
})

test('nodes that stand nowhere are below each other as a workflow comes to them', () => {
  const svg = diagramOf(review)
  expect(titlesOf(svg)).toEqual(['begin', 'review', 'end'])
  expect(numbersOf(svg, 'rect', 'y')).toEqual([40, 180, 320])
})

test('transitions between the same nodes are one arrow with all their labels', () => {
  const svg = diagramOf(review)
  expect(linesOf(svg)).toHaveLength(3)
  expect(svg).toMatch(/class="small">[^<]*, late</)
})

test('what skips a node passes beside the boxes', () => {
  const model = modelOf({
    a: { start: true, transitions: [to('b'), to('c')] },
    b: { transitions: [to('c')] },
    c: { transitions: [to('c'), to('end')] },
    end: { stop: true },
  })
  const svg = diagramOf(model)
  const right = numbersOf(svg, 'rect', 'x')[0]! + numbersOf(svg, 'rect', 'width')[0]!
  const lanes = linesOf(svg).flatMap((points) => (points.length === 4 ? [points[1]![0]!] : []))
  expect(lanes).toHaveLength(2)
  expect(new Set(lanes).size).toBe(2)
  for (const lane of lanes) expect(lane).toBeGreaterThan(right)
  expect(Math.abs(lanes[0]! - lanes[1]!)).toBeGreaterThanOrEqual(30)
  const long = modelOf({
    ...model.nodes,
    a: { start: true, transitions: [to('b'), { ...to('c'), name: 'x'.repeat(20) }] },
  })
  const [first = 0, second = 0] = linesOf(diagramOf(long)).flatMap((points) =>
    points.length === 4 ? [points[1]![0]!] : [],
  )
  expect(second - first).toBeGreaterThan(20 * 6)
  expect(numbersOf(svg, 'svg', 'width')[0]).toBeGreaterThan(Math.max(...lanes))
})

test('a box is as wide as what is written in it', () => {
  const rules = ['first', 'second', 'third'].map((name) => ({
    name: `remind-${name}-of-all`,
    chain: 'x',
    condition: 'true',
  }))
  const svg = diagramOf(modelOf({ a: { start: true, stop: true, hasTask: true, escalationRules: rules } }))
  expect(numbersOf(svg, 'rect', 'width')[0]).toBeGreaterThan(400)
})
