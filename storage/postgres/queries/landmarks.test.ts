import { expect, test } from 'vitest'
import { createLandmarks, readFar } from './landmarks.js'

/** What is sent: how many results are counted, from which value on a page is read, and whether nulls are asked for. */
const createFar = ({ nulls = 0, rows = 50 } = {}) => {
  const sent: unknown[] = []
  const statement = (of: unknown) => ({ text: JSON.stringify(of), parameters: [] })
  const marked = {
    landmarks: (first: number) => ({ text: 'count', parameters: [first] }),
    rowsFrom: (value: string, page: object) => statement([value, page]),
    nulls: statement('nulls'),
  }
  const answers: { [text: string]: object[] } = {
    count: [
      { value: 'a', before: 0 },
      { value: 'b', before: 900 },
      { value: 'c', before: 30_000 },
    ],
    '"nulls"': Array.from({ length: nulls }, () => ({})),
  }
  const send = (async ({ text, parameters }: { text: string; parameters: unknown[] }) => {
    sent.push(text === 'count' ? parameters[0] : text)
    return answers[text]
  }) as never
  const read = async ({ text }: { text: string }) => {
    sent.push(JSON.parse(text))
    return Array.from({ length: rows }, () => ({}))
  }
  const landmarks = createLandmarks()
  const page = (offset: number) =>
    readFar({ landmarks, send }, { marked, read } as never, { limit: 50, offset })
  return { page, sent }
}

test('what lies before pages is counted once, and again for one behind what was counted', async () => {
  const { page, sent } = createFar()
  for (const offset of [20_000, 29_999, 30_010, 40_000]) expect(await page(offset)).toHaveLength(50)
  expect(sent).toEqual([
    30_000,
    ['b', { limit: 50, offset: 19_100 }],
    ['b', { limit: 50, offset: 29_099 }],
    45_015,
    ['c', { limit: 50, offset: 10 }],
    ['c', { limit: 50, offset: 10_000 }],
  ])
})

test('a page that is not full is read from the first result on where nulls may follow', async () => {
  expect(await createFar({ rows: 49, nulls: 1 }).page(20_000)).toBeUndefined()
  expect(await createFar({ rows: 49 }).page(20_000)).toHaveLength(49)
})
