import { expect, test } from 'vitest'
import { parseChain, partsOfComponent } from '../index.js'

const FILE = `<component name="org.example">
  <require>org.nuxeo.ecm.core.operation.OperationServiceComponent</require>
  <extension target="x" point="event-handlers">
    <handler chainId="outer"><event>documentCreated</event><event>documentModified</event></handler>
  </extension>
  <extension target="x" point="chains">
    <chain id="outer"><operation id="RunOperation"><param name="id">inner</param></operation></chain>
    <chain id="inner"><operation id="Log"/></chain>
    <chain id="fix"><operation id="Log"/></chain>
    <catchChain id="c" onChainId="inner"><run chainId="fix" filterId="f"/></catchChain>
    <filter id="f">true</filter>
  </extension>
  <extension><schedule id="nightly"><event>x</event></schedule></extension>
  <extension><scriptedOperation id="Demo.Greet"><script>1</script></scriptedOperation></extension>
</component>`

test('a file is taken apart, each behind what it needs', () => {
  const parts = partsOfComponent(FILE)
  expect(parts.map(({ point, name }) => `${point}/${name}`)).toEqual([
    'scripts/Demo.Greet',
    'chains/fix',
    'chains/inner',
    'chains/outer',
    'eventHandlers/outer-documentCreated-documentModified',
    'schedules/nightly',
  ])
  const inner = parts[2]!
  const { chain } = parseChain({ id: 'inner', text: inner.text, format: 'xml' })
  expect(chain.onError).toMatchObject([{ chain: 'fix', filter: 'true' }])
})

test('a script is taken behind those that it calls', () => {
  const script = (id: string, body: string): string =>
    `<extension><scriptedOperation id="${id}"><script>${body}</script></scriptedOperation></extension>`
  const parts = partsOfComponent(
    `<component>${script('Demo.Outer', 'Demo.Inner(input)')}${script('Demo.Inner', '1')}</component>`,
  )
  expect(parts.map(({ name }) => name)).toEqual(['Demo.Inner', 'Demo.Outer'])
})

test.each([
  ['<chain id="fix"><operation id="Log"/></chain>', '<chain id="fix"><step/></chain>', 'fix', 9, 21],
  ['<chain id="inner"><operation id="Log"/></chain>', '<chain id="inner"><step/></chain>', 'inner', 8, 23],
  [
    '    <chain id="inner"><operation id="Log"/></chain>\n',
    '                    <chain id="inner"><step/></chain>\n',
    'inner',
    8,
    39,
  ],
])('what is wrong is found where it stands in the file: %s', (right, wrong, id, line, column) => {
  const part = partsOfComponent(FILE.replace(right, wrong)).find(({ name }) => name === id)!
  expect(() => parseChain({ id, text: part.text, format: 'xml' })).toThrow(`(line ${line}, column ${column})`)
})

test.each([
  ['<chain id="a"/>', /expected the element <component>, found <chain>/],
  ['<component/>', /contributes nothing/],
  [
    '<component><extension><chain id="a"/><chain id="a"/></extension></component>',
    /chains\/a is contributed twice/,
  ],
  ['<component><extension><chain/></extension></component>', /needs the attribute id/],
  ['<component><extension><widget/></extension></component>', /unexpected element <widget>/],
])('is refused: %s', (text, message) => {
  expect(() => partsOfComponent(text)).toThrow(message)
})
