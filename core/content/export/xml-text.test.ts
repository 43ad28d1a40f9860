import { expect, test } from 'vitest'
import { giveTurn } from '../../platform/limits/index.js'
import { element, textElement, xmlBytes } from './xml-text.js'

const written = async (xml: Iterable<string>): Promise<string> => Buffer.from(await xmlBytes(xml)).toString()

test('an element without content is closed at once', async () => {
  expect(await written(element('a', [], { b: '<"\n', c: null }))).toBe('<a b="&lt;&quot;&#xA;"/>')
  expect(await written(element('a', ['', '']))).toBe('<a/>')
  expect(await written(textElement('a', '\u0000'))).toBe('<a/>')
})

test.each(['x', '<', '😀', 'a😀', '\u0000'])(
  'a long text of %j is written as a short one is',
  async (one) => {
    const short = await written(textElement('a', one))
    const content = short === '<a/>' ? '' : short.slice(3, -4)
    const long = await written(textElement('a', one.repeat(200_000)))
    expect(long).toBe(content === '' ? '<a/>' : `<a>${content.repeat(200_000)}</a>`)
  },
)

test('others have their turns meanwhile, and what is too large ends early', async () => {
  // The clock of turns may be that of another test.
  await giveTurn()
  let turns = 0
  const timer = setInterval(() => {
    turns += 1
  })
  const endless = function* () {
    for (;;) yield* textElement('item', 'text '.repeat(2_000))
  }
  await expect(xmlBytes(element('a', endless()))).rejects.toThrow('more than 67108864 bytes')
  clearInterval(timer)
  expect(turns).toBeGreaterThan(0)
})
